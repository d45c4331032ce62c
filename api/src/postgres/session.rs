//! One connection after its login: messages in, answers out.

use std::collections::HashMap;
use std::io;

use serde_json::Value;

use super::answer::{Answer, Rows};
use super::fault::unless_gone;
use super::login::Login;
use super::opening::{Incoming, Outgoing};
use super::prepared::{Portal, Prepared};
use super::running::Running;
use super::statement::{Statement, What};
use super::timeout::{self, Limits};
use super::wire::{Answers, Ask, Fault, Field, format_of};
use super::{send, settings, types};
use crate::app::App;

const IDLE: u8 = b'I';
const OPEN: u8 = b'T';
const FAILED: u8 = b'E';

pub struct Session<'a> {
    pub(super) app: &'a App,
    pub(super) running: &'a Running,
    pub(super) login: Login,
    pub(super) application: String,
    /// Number of the connection, and what stops its queries.
    pub(super) key: (u32, u32),
    pub(super) statements: HashMap<String, Prepared>,
    pub(super) portals: HashMap<String, Portal>,
    pub(super) limits: Limits,
    /// Whether a transaction is open, as the client sees it.
    transaction: u8,
    /// After a failure everything up to the next `Sync` is left out.
    skipping: bool,
}

/// What a client says when it begins.
pub struct Begun {
    pub login: Login,
    /// The number of its connection, and what stops its queries.
    pub key: (u32, u32),
    /// The name of its program.
    pub application: String,
    pub limits: Limits,
}

/// The two directions of a connection.
pub(super) struct Wire<'a> {
    pub reader: &'a mut Incoming,
    pub writer: &'a mut Outgoing,
    pub answers: Answers,
}

impl Wire<'_> {
    async fn send(&mut self) -> io::Result<()> {
        send(self.writer, &mut self.answers).await
    }
}

impl<'a> Session<'a> {
    pub fn new(app: &'a App, running: &'a Running, begun: Begun) -> Session<'a> {
        let Begun { login, key, application, limits } = begun;
        let (statements, portals) = (HashMap::new(), HashMap::new());
        Session {
            app,
            running,
            login,
            application,
            key,
            statements,
            portals,
            limits,
            transaction: IDLE,
            skipping: false,
        }
    }

    /// Serves the connection to its end, and ends its login.
    pub async fn run(mut self, reader: &mut Incoming, writer: &mut Outgoing, answers: Answers) -> io::Result<()> {
        let mut wire = Wire { reader, writer, answers };
        let outcome = self.serve(&mut wire).await;
        self.login.close(self.app).await;
        outcome
    }

    async fn serve(&mut self, wire: &mut Wire<'_>) -> io::Result<()> {
        self.welcome(&mut wire.answers);
        loop {
            wire.send().await?;
            let ask = tokio::select! {
                ask = wire.reader.next() => ask,
                () = self.app.stop.cancelled() => {
                    wire.answers.fault(&Fault::fatal("57P01", "The server is stopping."));
                    return wire.send().await;
                }
            };
            let ask = match ask {
                Ok(ask) => ask,
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    wire.answers.fault(&Fault::fatal("08P01", format!("The message can't be read: {error}.")));
                    return wire.send().await;
                }
                Err(error) => return Err(error),
            };
            if matches!(ask, Ask::Terminate) {
                return Ok(());
            }
            let simple = matches!(ask, Ask::Query(_));
            match self.ask(ask, wire).await? {
                Ok(()) => {}
                Err(fault) => {
                    wire.answers.fault(&fault);
                    if fault.fatal {
                        return wire.send().await;
                    }
                    if self.transaction == OPEN {
                        self.transaction = FAILED;
                    }
                    self.skipping = !simple;
                }
            }
            if simple {
                wire.answers.ready(self.transaction);
            }
        }
    }

    fn welcome(&self, answers: &mut Answers) {
        answers.logged_in();
        let settings = self.settings();
        for name in settings::TOLD {
            let value = settings.iter().find(|(known, _)| *known == name.to_lowercase());
            answers.status(name, value.map_or("", |(_, value)| value));
        }
        answers.key(self.key.0, self.key.1);
        answers.ready(IDLE);
    }

    pub(super) fn settings(&self) -> Vec<(&'static str, String)> {
        let mut settings = settings::all(&self.login.user.name, &self.application);
        settings.push((timeout::NAME, self.limits.shown()));
        settings
    }

    async fn ask(&mut self, ask: Ask, wire: &mut Wire<'_>) -> io::Result<Result<(), Fault>> {
        if matches!(ask, Ask::Sync) {
            self.skipping = false;
            if self.transaction == IDLE {
                self.portals.clear();
            }
            wire.answers.ready(self.transaction);
            return Ok(Ok(()));
        }
        if self.skipping && !matches!(ask, Ask::Query(_)) {
            return Ok(Ok(()));
        }
        self.skipping = false;
        let outcome = match ask {
            Ask::Query(text) => return self.simple(&text, wire).await,
            Ask::Execute { portal, rows } => return self.execute(&portal, rows, wire).await,
            Ask::Parse { name, text, types } => self.parse(name, &text, types).map(|()| wire.answers.parsed()),
            Ask::Bind { portal, statement, formats, values, answers } => {
                let values: Vec<_> = values.iter().map(|value| value.as_deref()).collect();
                self.bind(portal, &statement, &formats, &values, answers).map(|()| wire.answers.bound())
            }
            Ask::DescribeStatement(name) => self.describe_statement(&name, wire).await,
            Ask::DescribePortal(name) => self.describe_portal(&name, wire).await,
            Ask::CloseStatement(name) => {
                self.statements.remove(&name);
                wire.answers.closed();
                Ok(())
            }
            Ask::ClosePortal(name) => {
                self.portals.remove(&name);
                wire.answers.closed();
                Ok(())
            }
            Ask::Other => Err(Fault::new("0A000", "COPY and function calls are not served.")),
            // What has been written is sent before the next message is read.
            Ask::Sync | Ask::Flush | Ask::Password | Ask::Terminate => Ok(()),
        };
        Ok(outcome)
    }

    /// A text of any number of statements; the first failure ends it.
    async fn simple(&mut self, text: &str, wire: &mut Wire<'_>) -> io::Result<Result<(), Fault>> {
        self.portals.remove("");
        let statements = match self.split(text) {
            Ok(statements) => statements,
            Err(fault) => return Ok(Err(fault)),
        };
        if statements.is_empty() {
            wire.answers.empty_query();
        }
        for statement in &statements {
            let answer = unless_gone(self.app, self.answer(statement, &[], wire)).await;
            let sent = match answer {
                Ok(mut answer) => {
                    if let Answer::Rows(rows) = &answer {
                        wire.answers.fields(&rows.fields, &[]);
                    }
                    self.give(&mut answer, 0, &[], wire).await?
                }
                // A place in the whole text, not in the statement.
                Err(fault) => Err(Fault { position: fault.position.map(|at| at + statement.before), ..fault }),
            };
            if let Err(fault) = sent {
                return Ok(Err(fault));
            }
        }
        Ok(Ok(()))
    }

    /// Takes the values of a portal as numbers whose type is open, where they can't be texts: `limit $1`, `$1 + 1`.
    async fn settle(&self, portal: &mut Portal) {
        let Some(numbers) = portal.numbers.take() else { return };
        let fits = async |values: &[Value]| self.fields(&portal.statement, values).await.is_ok();
        if matches!(portal.statement.what, What::Query(_)) && !fits(&portal.values).await && fits(&numbers).await {
            portal.values = numbers;
        }
    }

    /// Runs the portal already: what comes next is to execute it.
    async fn describe_portal(&mut self, name: &str, wire: &mut Wire<'_>) -> Result<(), Fault> {
        let mut portal = self.take(name)?;
        if portal.answer.is_none() {
            self.settle(&mut portal).await;
            portal.answer = Some(unless_gone(self.app, self.answer(&portal.statement, &portal.values, wire)).await?);
        }
        let fields = match &portal.answer {
            Some(Answer::Rows(rows)) => Some(rows.fields.as_slice()),
            _ => None,
        };
        tell_fields(fields, &portal.formats, &mut wire.answers);
        self.portals.insert(name.to_string(), portal);
        Ok(())
    }

    async fn execute(&mut self, name: &str, most: u32, wire: &mut Wire<'_>) -> io::Result<Result<(), Fault>> {
        let mut portal = match self.take(name) {
            Ok(portal) => portal,
            Err(fault) => return Ok(Err(fault)),
        };
        let mut answer = match portal.answer.take() {
            Some(answer) => answer,
            None => {
                self.settle(&mut portal).await;
                match unless_gone(self.app, self.answer(&portal.statement, &portal.values, wire)).await {
                    Ok(answer) => answer,
                    Err(fault) => return Ok(Err(fault)),
                }
            }
        };
        let outcome = self.give(&mut answer, most, &portal.formats, wire).await?;
        portal.answer = Some(answer);
        self.portals.insert(name.to_string(), portal);
        Ok(outcome)
    }

    /// Sends what an answer holds, at most so many rows (0 for all).
    async fn give(
        &self,
        answer: &mut Answer,
        most: u32,
        formats: &[i16],
        wire: &mut Wire<'_>,
    ) -> io::Result<Result<(), Fault>> {
        let rows = match answer {
            Answer::Empty => {
                wire.answers.empty_query();
                return Ok(Ok(()));
            }
            Answer::Done(tag) => {
                wire.answers.done(tag);
                return Ok(Ok(()));
            }
            Answer::Rows(rows) => rows,
        };
        let most = if most == 0 { u64::MAX } else { u64::from(most) };
        let mut given = 0;
        while given < most && !rows.are_sent() {
            let page = match unless_gone(self.app, rows.next(self.app, most - given)).await {
                Ok(page) => page,
                Err(fault) => return Ok(Err(fault)),
            };
            given += page.len() as u64;
            for row in page {
                if let Err(fault) = give_row(&row, rows, formats, &mut wire.answers) {
                    return Ok(Err(fault));
                }
            }
            if wire.answers.is_large() {
                wire.send().await?;
            }
        }
        if rows.are_sent() {
            wire.answers.done(&format!("SELECT {given}"));
        } else {
            wire.answers.suspended();
        }
        Ok(Ok(()))
    }

    /// Answers a word of the session, or a question with its rows.
    async fn answer(&mut self, statement: &Statement, values: &[Value], wire: &mut Wire<'_>) -> Result<Answer, Fault> {
        if self.transaction == FAILED && !matches!(statement.what, What::End(_)) {
            return Err(Fault::new("25P02", "The transaction has failed; end it first."));
        }
        Ok(match &statement.what {
            What::Empty => Answer::Empty,
            What::Begin => {
                self.transaction = OPEN;
                Answer::Done("BEGIN".to_string())
            }
            What::End(tag) => {
                let tag = if self.transaction == FAILED { "ROLLBACK" } else { *tag };
                self.transaction = IDLE;
                self.limits.end();
                Answer::Done(tag.to_string())
            }
            What::Timeout { said, local } => {
                self.limits.set(*said, *local, self.transaction == OPEN);
                Answer::Done("SET".to_string())
            }
            What::Reset => {
                self.limits.reset();
                Answer::Done("RESET".to_string())
            }
            What::Discard => {
                self.limits.reset();
                self.statements.clear();
                Answer::Done("DISCARD ALL".to_string())
            }
            What::Nothing(tag) => Answer::Done((*tag).to_string()),
            What::Deallocate(name) => {
                self.statements.retain(|known, _| name.as_ref().is_some_and(|name| name != known));
                Answer::Done("DEALLOCATE".to_string())
            }
            What::Show(name) => Answer::Rows(self.show(name)?),
            What::Catalogue => Answer::Rows(self.catalogue(&statement.text, values).await?),
            What::Query(query) => Answer::Rows(self.query(query, values, wire).await?),
        })
    }
}

impl Drop for Session<'_> {
    /// However it ends, its account may open another.
    fn drop(&mut self) {
        self.running.leave(self.key.0);
    }
}

pub(super) fn tell_fields(fields: Option<&[Field]>, formats: &[i16], answers: &mut Answers) {
    match fields {
        Some(fields) => answers.fields(fields, formats),
        None => answers.no_fields(),
    }
}

fn give_row(row: &[Value], rows: &Rows, formats: &[i16], answers: &mut Answers) -> Result<(), Fault> {
    let mut fault = None;
    answers.row(rows.fields.len(), |place, body| {
        let (Some(value), Some(field)) = (row.get(place), rows.fields.get(place)) else { return false };
        types::write(value, field.oid, format_of(formats, place), body).unwrap_or_else(|unfit| {
            fault = Some(unfit);
            false
        })
    });
    fault.map_or(Ok(()), Err)
}
