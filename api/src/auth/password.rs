//! Passwords as argon2id hashes, made and checked away from the threads that serve requests.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::Semaphore;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Hashes and checks passwords; a few at a time, since each takes 19 MiB and tens of milliseconds of a core.
#[derive(Debug)]
pub struct Passwords {
    permits: Semaphore,
    /// Hash of no password, checked for unknown users so that they take as long as known ones.
    decoy: String,
}

impl Passwords {
    pub async fn new() -> Result<Passwords, Failure> {
        let decoy = tokio::task::spawn_blocking(|| hash("no password has this text")).await??;
        Ok(Passwords { permits: Semaphore::new(2), decoy })
    }

    /// The hash to keep of a password, with its salt and parameters.
    pub async fn hash(&self, password: &str) -> Result<String, Failure> {
        let _permit = self.permits.acquire().await?;
        let password = password.to_string();
        tokio::task::spawn_blocking(move || hash(&password)).await?
    }

    /// Whether the password is the one that was hashed; never for an unknown user (`None`), in the same time.
    pub async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool, Failure> {
        let _permit = self.permits.acquire().await?;
        let known = hash.is_some();
        let hash = hash.unwrap_or(&self.decoy).to_string();
        let password = password.to_string();
        let matches = tokio::task::spawn_blocking(move || verify(&password, &hash)).await??;
        Ok(known && matches)
    }
}

fn hash(password: &str) -> Result<String, Failure> {
    Ok(Argon2::default().hash_password(password.as_bytes())?.to_string())
}

fn verify(password: &str, hash: &str) -> Result<bool, Failure> {
    let parsed = PasswordHash::new(hash)?;
    Ok(Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_is_salted_argon2id_and_matches_only_its_password() {
        let passwords = Passwords::new().await.unwrap();
        let first = passwords.hash("secret1").await.unwrap();
        let second = passwords.hash("secret1").await.unwrap();
        assert!(first.starts_with("$argon2id$"), "{first}");
        assert_ne!(first, second);
        assert!(passwords.verify("secret1", Some(&first)).await.unwrap());
        assert!(!passwords.verify("secret2", Some(&first)).await.unwrap());
        assert!(!passwords.verify("no password has this text", None).await.unwrap());
    }
}
