//! One connection after its login: messages in, answers out.

use std::collections::HashMap;
use std::io;

use serde_json::Value;

use super::answer::Answer;
use super::copy::Copied;
use super::fault::unless_gone;
use super::login::Login;
use super::opening::{Incoming, Outgoing};
use super::portals::Portal;
use super::prepared::Prepared;
use super::running::Running;
use super::statement::{Statement, What};
use super::timeout::{self, Limits};
use super::wire::{Answers, Ask, Fault};
use super::{send, settings};
use crate::app::App;

const IDLE: u8 = b'I';
pub(super) const OPEN: u8 = b'T';
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
    pub(super) transaction: u8,
    /// Whether the current simple query has several statements, which form an implicit transaction.
    pub(super) several: bool,
    /// After an error, messages are skipped up to the next `Sync`.
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

    /// Sends what waits if it is much.
    pub async fn send_if_large(&mut self) -> io::Result<()> {
        if self.answers.is_large() { self.send().await } else { Ok(()) }
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
            several: false,
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
            // A call of a function is answered like a simple query.
            let simple = matches!(ask, Ask::Query(_) | Ask::Function);
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
                self.end_portals_when_idle();
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
            self.end_portals_when_idle();
            wire.answers.ready(self.transaction);
            return Ok(Ok(()));
        }
        if self.skipping && !matches!(ask, Ask::Query(_) | Ask::Function) {
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
            Ask::Function => Err(Fault::new("0A000", "Calls of functions are not served; SELECT them.")),
            // Pending output is sent before the next message is read. Data of a refused COPY is skipped.
            Ask::Sync | Ask::Flush | Ask::Password | Ask::Terminate | Ask::CopyData => Ok(()),
        };
        Ok(outcome)
    }

    /// Runs a simple query of any number of statements. The first error ends it.
    async fn simple(&mut self, text: &str, wire: &mut Wire<'_>) -> io::Result<Result<(), Fault>> {
        self.portals.remove("");
        self.several = false;
        let statements = match self.split(text) {
            Ok(statements) => statements,
            Err(fault) => return Ok(Err(fault)),
        };
        if statements.is_empty() {
            wire.answers.empty_query();
        }
        self.several = statements.len() > 1;
        for statement in &statements {
            let answer = unless_gone(self.app, self.answer(statement, &[], wire)).await;
            let sent = match answer {
                Ok(mut answer) => {
                    let formats = self.formats(statement);
                    if let Answer::Rows(rows) = &answer {
                        wire.answers.fields(&rows.fields, formats);
                    }
                    self.give(&mut answer, 0, formats, wire).await?
                }
                // The client expects a position in the whole text, not in the statement.
                Err(fault) => Err(Fault { position: fault.position.map(|at| at + statement.before), ..fault }),
            };
            if let Err(fault) = sent {
                return Ok(Err(fault));
            }
        }
        Ok(Ok(()))
    }

    /// The formats of a simple query's rows: text, except for a cursor that was declared BINARY.
    fn formats(&self, statement: &Statement) -> &'static [i16] {
        match &statement.what {
            What::Fetch(fetch) if self.portals.get(&fetch.name).is_some_and(|portal| portal.cursor.binary) => &[1],
            _ => &[],
        }
    }

    /// Outside a transaction block, portals end with the query or Sync that ends the implicit transaction.
    fn end_portals_when_idle(&mut self) {
        self.several = false;
        if self.transaction == IDLE {
            self.end_portals(true);
        }
    }

    /// Runs a statement, and returns its response.
    pub(super) async fn answer(
        &mut self,
        statement: &Statement,
        values: &[Value],
        wire: &mut Wire<'_>,
    ) -> Result<Answer, Fault> {
        if self.transaction == FAILED && !matches!(statement.what, What::End(_) | What::RollbackTo) {
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
                self.end_portals(tag == "COMMIT");
                self.transaction = IDLE;
                self.limits.end();
                Answer::Done(tag.to_string())
            }
            What::RollbackTo => {
                if self.transaction == FAILED {
                    self.transaction = OPEN;
                }
                Answer::Done("ROLLBACK".to_string())
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
                self.portals.clear();
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
            What::Copy(copy) => {
                let rows = match &copy.query.what {
                    What::Query(query) => self.query(query, values, wire).await?,
                    _ => self.catalogue(&copy.query.text, values).await?,
                };
                Answer::Copied(Box::new(Copied::new(rows, copy.form.clone())?))
            }
            What::Declare(declare) => self.declare(declare, values, wire).await?,
            What::Fetch(fetch) => self.fetch(fetch, wire).await?,
            What::Close(name) => self.close(name.as_deref())?,
            What::Refused(refused) => return Err(refused.clone()),
        })
    }
}

impl Drop for Session<'_> {
    /// However it ends, its account may open another.
    fn drop(&mut self) {
        self.running.leave(self.key.0);
    }
}
