//! Sends mails over SMTP and text messages over an HTTP gateway, as far as the settings name them, and keeps a record of
//! everything sent.

mod mail;
pub mod records;
mod text;

use std::fmt;

use mail::Mailer;
use text::Gateway;

use crate::db::Db;
use records::Record;

/// What the settings say about sending.
#[derive(Debug, Clone, Default)]
pub struct SendingOptions {
    /// `smtp://` or `smtps://` with account and password; no mails without it.
    pub smtp_url: Option<String>,
    /// Sender of the mails.
    pub mail_from: Option<String>,
    /// Takes a `POST` with `{"phone","text"}`; no text messages without it.
    pub sms_url: Option<String>,
    /// Bearer token of the gateway.
    pub sms_token: Option<String>,
}

/// How something is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    Mail,
    Text,
}

impl Channel {
    pub fn name(self) -> &'static str {
        match self {
            Channel::Mail => "mail",
            Channel::Text => "message",
        }
    }
}

/// Something to be sent.
#[derive(Debug)]
pub struct Message<'a> {
    /// Email address or phone number.
    pub target: &'a str,
    pub subject: &'a str,
    pub content: &'a str,
    /// What the record keeps of the content: without codes, which would open accounts to whoever reads it.
    pub kept: &'a str,
}

/// Why something could not be sent.
#[derive(Debug)]
pub struct NotSent(pub String);

impl fmt::Display for NotSent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Sends what the settings allow.
#[derive(Debug)]
pub struct Sender {
    db: Db,
    mailer: Option<Mailer>,
    gateway: Option<Gateway>,
}

impl Sender {
    /// Refuses settings that can't be used; whether a server answers is seen when something is sent.
    pub fn new(db: Db, options: &SendingOptions) -> anyhow::Result<Sender> {
        let mailer =
            options.smtp_url.as_deref().map(|url| Mailer::new(url, options.mail_from.as_deref())).transpose()?;
        let gateway =
            options.sms_url.as_deref().map(|url| Gateway::new(url, options.sms_token.as_deref())).transpose()?;
        Ok(Sender { db, mailer, gateway })
    }

    /// Whether the settings allow this channel.
    pub fn can(&self, channel: Channel) -> bool {
        match channel {
            Channel::Mail => self.mailer.is_some(),
            Channel::Text => self.gateway.is_some(),
        }
    }

    /// Sends, and writes down what was sent and how that went.
    pub async fn send(&self, channel: Channel, message: &Message<'_>) -> Result<(), NotSent> {
        let sent = match (channel, &self.mailer, &self.gateway) {
            (Channel::Mail, Some(mailer), _) => mailer.send(message).await,
            (Channel::Text, _, Some(gateway)) => gateway.send(message).await,
            _ => Err(NotSent("the settings name no way to send it".to_string())),
        };
        let record = Record {
            channel,
            target: message.target,
            subject: message.subject,
            content: message.kept,
            reason: sent.as_ref().err().map(|error| error.0.as_str()),
        };
        if let Err(error) = records::write(&self.db, &record).await {
            tracing::error!(%error, "a message is missing in the record of sent messages");
        }
        if let Err(reason) = &sent {
            tracing::warn!(channel = channel.name(), %reason, "a message could not be sent");
        }
        sent
    }
}
