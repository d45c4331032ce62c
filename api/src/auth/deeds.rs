//! What can be done in the back office: a name for each deed that stays, by which pages tell it in their language, and its
//! sentence in English for files and whoever reads the database.

use serde::Serialize;
use utoipa::ToSchema;

macro_rules! deeds {
    ($($name:ident = $sentence:literal;)+) => {
        /// What somebody did in the back office, or as an administrator with what belongs to somebody else.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub enum Deed {
            $($name),+
        }

        impl Deed {
            /// What the database and the API call it.
            pub fn name(self) -> String {
                let name = match self { $(Deed::$name => stringify!($name)),+ };
                name[..1].to_ascii_lowercase() + &name[1..]
            }

            /// In English, with the names of values in braces.
            fn sentence(self) -> &'static str {
                match self { $(Deed::$name => $sentence),+ }
            }
        }
    };
}

deeds! {
    Exported = "exported";
    UserMade = "user {id} made: {name} with the role {role}";
    UserDisabled = "user {id} disabled";
    UserEnabled = "user {id} enabled";
    RoleGiven = "user {id} has the role {role}";
    SecondFactorRemoved = "second factor of user {id} removed: {name}";
    InvitationMade = "invitation {id} made";
    InvitationMadeFor = "invitation {id} made for {email}";
    InvitationWithdrawn = "invitation {id} withdrawn";
    InvitationWithdrawnFor = "invitation {id} for {email} withdrawn";
    RoleMade = "role {role} made with {permissions}";
    RoleChanged = "role {role} holds {permissions}";
    RoleRemoved = "role {role} removed";
    PermissionNamed = "permission {permission} is called {note}";
    SessionEnded = "a session of {name} ended";
    FileRemoved = "file {path} of {owner} removed";
    MessageSent = "message {id} to everybody";
    JobStopped = "job {job} of {owner} stopped";
    QueryRun = "query {query} run at once as job {job}";
    SchedulePaused = "schedule of query {query} paused";
    ScheduleResumed = "schedule of query {query} goes on";
    LabelSaved = "{address} is labelled {label}";
    LabelRemoved = "label {id} removed";
    LabelsImported = "{rows} labels imported";
    FeedbackOpened = "feedback {id} open";
    FeedbackHandled = "feedback {id} handled";
    FeedbackRejected = "feedback {id} rejected";
    PaperUploaded = "white paper {id} uploaded: {title}";
    PaperPublished = "white paper {id} published";
    PaperHidden = "white paper {id} hidden";
    PaperRemoved = "white paper {id} removed: {title}";
    FollowStarted = "following was started";
    FollowUnderWay = "following was under way already";
    FollowStopped = "following was stopped";
    FollowIdle = "following was stopped already";
    CheckStarted = "a check of the lake was started";
    CheckUnderWay = "a check of the lake was under way already";
    CheckStopped = "the check of the lake was stopped";
    CheckIdle = "no check of the lake was under way";
    WorkerDrained = "worker {worker} drained";
    DappSaved = "dapp {dapp} saved";
    DappRemoved = "dapp {dapp} removed";
    DappsImported = "{rows} dapps imported";
    DappAddressSaved = "{address} belongs to {dapp}";
    DappAddressRemoved = "address {address} removed";
    DappAddressesImported = "{rows} addresses imported";
    RuleOn = "rule {rule} gives {points}, on";
    RuleOff = "rule {rule} gives {points}, off";
    EntryWritten = "{name} gets {points}: {note}";
    MadeOfficial = "{title} ({id}) is official";
    NotOfficial = "{title} ({id}) is official no more";
    CreationOfOther = "{title} ({id}) of {owner}";
    CommentRemoved = "comment {id} of {owner} removed";
    TagOfOther = "tag {tag} of {id}";
    SignatureForAll = "for everybody: {signature}";
    SignatureRemoved = "signature {id} of {owner} removed";
}

impl Deed {
    /// The sentence with these values. A brace in a value stays what it is.
    pub fn told<'a>(self, value: impl Fn(&str) -> Option<&'a str>) -> String {
        let mut told = String::new();
        let mut rest = self.sentence();
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            told.push_str(before);
            told.push_str(value(name).unwrap_or_default());
            rest = after;
        }
        told.push_str(rest);
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_holds_its_values() {
        let value = |name: &str| (name == "id").then_some("{role}").or((name == "role").then_some("clerk"));
        assert_eq!(Deed::RoleGiven.told(value), "user {role} has the role clerk");
        assert_eq!(Deed::Exported.told(|_| None), "exported");
    }

    #[test]
    fn a_deed_is_written_as_the_database_has_it() {
        assert_eq!(serde_json::to_value(Deed::RoleGiven).unwrap(), Deed::RoleGiven.name());
    }
}
