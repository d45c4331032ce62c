//! Mails over SMTP.

use std::time::Duration;

use anyhow::Context;
use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message as Mail, Tokio1Executor};

use super::{Message, NotSent};

const TIMEOUT: Duration = Duration::from_secs(15);

#[derive(Debug)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Mailer {
    pub fn new(url: &str, from: Option<&str>) -> anyhow::Result<Mailer> {
        let from = from.context("the setting mail_from must name the sender when smtp_url is set")?;
        let from = from.parse().context("the setting mail_from must be an email address")?;
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .context("the setting smtp_url must be smtp:// or smtps:// and a server")?;
        Ok(Mailer { transport: transport.timeout(Some(TIMEOUT)).build(), from })
    }

    pub async fn send(&self, message: &Message<'_>) -> Result<(), NotSent> {
        let to: Mailbox = message.target.parse().map_err(|error| NotSent(format!("the address: {error}")))?;
        let mail = Mail::builder()
            .from(self.from.clone())
            .to(to)
            .subject(message.subject)
            .header(ContentType::TEXT_PLAIN)
            .body(message.content.to_string())
            .map_err(|error| NotSent(error.to_string()))?;
        self.transport.send(mail).await.map(drop).map_err(|error| NotSent(error.to_string()))
    }
}
