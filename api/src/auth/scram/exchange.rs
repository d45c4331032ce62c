//! The messages of a proof, from the server's side. Channel binding is not offered, so a client may not ask for it.

use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::verifier::{KEY, Verifier, mac, sha256};

/// A message that breaks the rules of the protocol; the sentence says which.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed(pub &'static str);

/// A proof under way, after the client's first message.
#[derive(Debug)]
pub struct Exchange {
    verifier: Verifier,
    /// What the client says about channel binding, which it repeats.
    header: String,
    /// Both sides' random texts.
    nonce: String,
    /// The first message of each side, as they are signed.
    signed: String,
}

impl Exchange {
    /// Takes the client's first message; answers the server's first one too. `random` is the server's random text.
    pub fn begin(message: &[u8], verifier: Verifier, random: &str) -> Result<(Exchange, String), Malformed> {
        let message = text(message)?;
        let bare_at = message.match_indices(',').nth(1).map(|(at, _)| at + 1);
        let (header, bare) = message.split_at(bare_at.ok_or(Malformed("the first message is too short"))?);
        if !matches!(header, "n,," | "y,,") {
            return Err(Malformed("neither channel binding nor another identity is served"));
        }
        let mut parts = bare.split(',');
        // The user is the one of the connection; clients leave this name empty.
        let named = parts.next().is_some_and(|name| name.starts_with("n="));
        let theirs = parts.next().and_then(|part| part.strip_prefix("r=")).filter(|theirs| !theirs.is_empty());
        let Some(theirs) = theirs.filter(|_| named) else { return Err(Malformed("the first message has no nonce")) };
        let nonce = format!("{theirs}{random}");
        let answer = format!("r={nonce},s={},i={}", STANDARD.encode(&verifier.salt), verifier.iterations);
        let signed = format!("{bare},{answer}");
        Ok((Exchange { verifier, header: header.to_string(), nonce, signed }, answer))
    }

    /// Takes the client's second message: the server's signature for a right proof, `None` for a wrong one.
    pub fn finish(self, message: &[u8]) -> Result<Option<String>, Malformed> {
        let message = text(message)?;
        let (unproven, proof) = message.rsplit_once(",p=").ok_or(Malformed("the second message has no proof"))?;
        let mut parts = unproven.split(',');
        if parts.next().and_then(|part| part.strip_prefix("c=")) != Some(STANDARD.encode(&self.header).as_str()) {
            return Err(Malformed("the second message says something else about channel binding"));
        }
        if parts.next().and_then(|part| part.strip_prefix("r=")) != Some(self.nonce.as_str()) {
            return Err(Malformed("the second message has another nonce"));
        }
        let proof: Option<[u8; KEY]> = STANDARD.decode(proof).ok().and_then(|proof| proof.try_into().ok());
        let proof = proof.ok_or(Malformed("the proof is not one of SCRAM-SHA-256"))?;
        let signed = format!("{},{unproven}", self.signed);
        let signature = mac(&self.verifier.stored_key, signed.as_bytes());
        let client_key: [u8; KEY] = std::array::from_fn(|at| proof[at] ^ signature[at]);
        let right = verify_slices_are_equal(&sha256(&client_key), &self.verifier.stored_key).is_ok();
        let answer = mac(&self.verifier.server_key, signed.as_bytes());
        Ok(right.then(|| format!("v={}", STANDARD.encode(answer))))
    }
}

fn text(message: &[u8]) -> Result<&str, Malformed> {
    std::str::from_utf8(message).map_err(|_| Malformed("a message is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7677: user `user`, password `pencil`.
    const FIRST: &[u8] = b"n,,n=user,r=rOprNGfwEbeRWgbNEkqO";
    const RANDOM: &str = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    const LAST: &str = "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,\
        p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";

    fn pencil() -> Verifier {
        let mut salted = [0; KEY];
        let salt = STANDARD.decode("W22ZaJ0SNY7soEsUEjb6gQ==").unwrap();
        let iterations = std::num::NonZeroU32::new(4096).unwrap();
        aws_lc_rs::pbkdf2::derive(aws_lc_rs::pbkdf2::PBKDF2_HMAC_SHA256, iterations, &salt, b"pencil", &mut salted);
        let (stored_key, server_key) = (sha256(&mac(&salted, b"Client Key")), mac(&salted, b"Server Key"));
        Verifier { salt, iterations: 4096, stored_key, server_key }
    }

    #[test]
    fn it_speaks_as_the_standard_says() {
        let kept: Verifier = pencil().to_string().parse().unwrap();
        assert_eq!(kept, pencil());
        let (exchange, first) = Exchange::begin(FIRST, kept, RANDOM).unwrap();
        assert_eq!(first, "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096");
        let last = exchange.finish(LAST.as_bytes()).unwrap();
        assert_eq!(last.as_deref(), Some("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="));
    }

    #[test]
    fn a_proof_for_another_password_or_another_exchange_is_wrong() {
        for verifier in [Verifier::of("pencils"), Verifier::mock(b"secret", "user")] {
            let (exchange, _) = Exchange::begin(FIRST, verifier, RANDOM).unwrap();
            assert_eq!(exchange.finish(LAST.as_bytes()), Ok(None));
        }
        let begin = || Exchange::begin(FIRST, pencil(), "other").unwrap().0;
        assert!(begin().finish(LAST.as_bytes()).is_err(), "a proof that was overheard");
        for bad in ["", "c=biws", "c=biws,r=x,p=", "c=eSws,r=rOprNGfwEbeRWgbNEkqOother,p=AA==", ",p="] {
            assert!(begin().finish(bad.as_bytes()).is_err(), "{bad}");
        }
        for bad in [&b""[..], b"n,,", b"p=tls-server-end-point,,n=,r=a", b"n,a=admin,n=,r=a", b"n,,n=,r=", b"\xff,,"] {
            assert!(Exchange::begin(bad, pencil(), RANDOM).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_unknown_user_looks_like_a_known_one() {
        let [known, unknown] = [Verifier::of("secret1"), Verifier::mock(b"secret", "nobody")];
        assert_eq!((known.salt.len(), known.iterations), (unknown.salt.len(), unknown.iterations));
        assert_eq!(unknown.salt, Verifier::mock(b"secret", "nobody").salt);
        assert_ne!(unknown.salt, Verifier::mock(b"secret", "somebody").salt);
    }
}
