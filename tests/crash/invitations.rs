//! A sign-up with an invitation, cut off anywhere: the invitation is unused, or it has admitted one person.

use redwing::{
    actions::{
        accounts::{self, NewAccount, SignUp},
        administration::change_site,
        invitations::{Entry, invite, revoke},
    },
    domain::{
        ActingPerson, Bio, DisplayName, Entrance, IdempotencyKey, Login, Question, RuleLines,
        SiteText,
    },
    store::{
        Actor, Fuse, Invitation, Key, MakeOutcome, Pages, SettingsChange, SiteChange, SiteDraft,
        TextsChange,
    },
};

use super::cut_off_everywhere;
use crate::support::{core::Core, crowd::member};

fn newcomer(login: &str, entry: Entry) -> NewAccount {
    NewAccount {
        login: Login::parse(login).expect("valid"),
        name: DisplayName::parse("Newcomer").expect("valid"),
        password_hash: "$argon2id$v=19$m=8,t=1,p=1$bm90aGluZw$bm90aGluZw".into(),
        idempotency_key: IdempotencyKey::draw(),
        entry,
    }
}

fn entry(invitation: &Invitation) -> Entry {
    Entry::Invitation(invitation.link.clone(), invitation.end.0)
}

#[tokio::test]
async fn an_invitation_admits_one_person_after_a_crash_at_any_command() {
    let core = Core::with(&["--invitation-age-days", "0"]);
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| {
            let inviter = member(store, &format!("inviter_{number}")).await;
            let made = invite(store, Actor::from(inviter)).await;
            assert_eq!(made.expect("an answer"), MakeOutcome::Made);
            let unused = store.invitations(inviter).await.expect("an answer");
            (number, inviter, unused[0].clone())
        },
        async |store, (number, _, invitation)| {
            let account = newcomer(&format!("first_{number}"), entry(invitation));
            accounts::sign_up(store, account).await.map(drop)
        },
        async |(number, inviter, invitation)| {
            let first = Login::parse(&format!("first_{number}")).expect("valid");
            let entered = store.holder(&first).await.expect("an answer").is_some();
            let unused = store.invitations(*inviter).await.expect("an answer");
            assert_eq!(unused.len(), usize::from(!entered));
            let account = newcomer(&format!("second_{number}"), entry(invitation));
            let second = accounts::sign_up(store, account).await.expect("an answer");
            match second {
                SignUp::Created(_) => assert!(!entered, "two people came"),
                SignUp::NotAdmitted => assert!(entered, "the invitation is lost"),
                other => panic!("{other:?}"),
            }
            core.assert_sound().await;
        },
    )
    .await;
}

#[tokio::test]
async fn an_invitation_revoked_after_a_sign_up_was_cut_off_anywhere_admits_nobody_else() {
    let core = Core::with(&["--invitation-age-days", "0"]);
    let store = &core.store;
    let mut number = 0;
    loop {
        let inviter = member(store, &format!("inviter_{number}")).await;
        let made = invite(store, Actor::from(inviter)).await;
        made.expect("an answer");
        let unused = store.invitations(inviter).await.expect("an answer");
        let invitation = &unused[0];
        let broken = store.with_fuse(Fuse::of(number));
        let account = newcomer(&format!("first_{number}"), entry(invitation));
        let done = accounts::sign_up(&broken, account).await;
        let code = &invitation.link.code;
        let revoked = revoke(store, Actor::from(inviter), code).await;
        revoked.expect("an answer");
        core.drain().await;
        let unused = store.invitations(inviter).await.expect("an answer");
        assert!(unused.is_empty(), "{number}");
        let account = newcomer(&format!("second_{number}"), entry(invitation));
        let second = accounts::sign_up(store, account).await.expect("an answer");
        assert_eq!(second, SignUp::NotAdmitted, "{number}");
        let mut pages = Pages::of(&Key::Invitations(inviter));
        let rows = store.rows(&mut pages).await.expect("an answer");
        let left: Vec<String> = rows.into_iter().map(|(entry, _)| entry).collect();
        assert!(
            left.is_empty() || left == [format!("revoked:{code}")],
            "{number}: {left:?}"
        );
        if done.is_ok() {
            break;
        }
        number += 1;
    }
    assert!(number > 3);
    core.assert_sound().await;
}

fn site_draft() -> SiteDraft {
    SiteDraft {
        name: DisplayName::parse("Harbour").expect("valid"),
        description: Bio::default(),
        contact: Bio::default(),
        rules: RuleLines::default(),
        question: Question::default(),
        entrance: Entrance::Closed,
        lets_members_found_groups: true,
        hue: redwing::domain::SiteHue::DEFAULT,
        shows_everybody_to_visitors: true,
        has_public_log: false,
        shows_inviters: false,
    }
}

#[tokio::test]
async fn a_set_up_cut_off_anywhere_leaves_what_the_host_set() {
    let bio = |text| Some(Bio::parse(text).expect("valid"));
    for commands in 0..40 {
        let core = Core::start();
        let store = &core.store;
        let change = async |change: SiteChange| {
            let changed = change_site(store, ActingPerson::Host, &change).await;
            changed.expect("an answer");
        };
        let settings = SettingsChange {
            contact: bio("before"),
            description: bio("from the host"),
            entrance: Some(Entrance::Invitation),
            ..SettingsChange::default()
        };
        let texts = TextsChange {
            about: Some(SiteText::parse("We sail.").expect("valid")),
            ..TextsChange::default()
        };
        change(SiteChange {
            settings,
            texts,
            ..SiteChange::default()
        })
        .await;
        let broken = store.with_fuse(Fuse::of(commands));
        let account = newcomer("first", Entry::SetUp(site_draft()));
        let done = accounts::sign_up(&broken, account).await;
        let settings = SettingsChange {
            contact: bio("since"),
            ..SettingsChange::default()
        };
        change(SiteChange {
            settings,
            ..SiteChange::default()
        })
        .await;
        core.drain().await;
        let first = Login::parse("first").expect("valid");
        let entered = store.holder(&first).await.expect("an answer").is_some();
        let site = store.read_site().await.expect("an answer");
        assert_eq!(site.contact, "since", "{commands}");
        assert!(site.has_about, "{commands}");
        assert_eq!(site.owner.is_some(), entered, "{commands}");
        let (description, entrance) = match entered {
            true => ("", Entrance::Closed),
            false => ("from the host", Entrance::Invitation),
        };
        assert_eq!(site.description, description, "{commands}");
        assert_eq!(site.entrance, Some(entrance), "{commands}");
        core.assert_sound().await;
        if done.is_ok() {
            assert!(commands > 3);
            return;
        }
    }
    panic!("the set-up never completed");
}

#[tokio::test]
async fn a_set_up_cut_off_anywhere_makes_one_owner() {
    for commands in 0..40 {
        let core = Core::start();
        let draft = site_draft();
        let set_up = |login| newcomer(login, Entry::SetUp(draft.clone()));
        let broken = core.store.with_fuse(Fuse::of(commands));
        let done = accounts::sign_up(&broken, set_up("first")).await;
        core.drain().await;
        let first = Login::parse("first").expect("valid");
        let entered = core
            .store
            .holder(&first)
            .await
            .expect("an answer")
            .is_some();
        let second = accounts::sign_up(&core.store, set_up("second")).await;
        let second = second.expect("an answer");
        assert_eq!(matches!(second, SignUp::NotAdmitted), entered, "{second:?}");
        assert_eq!(matches!(second, SignUp::Created(_)), !entered, "{second:?}");
        core.assert_sound().await;
        if done.is_ok() {
            assert!(commands > 3);
            return;
        }
    }
    panic!("the set-up never completed");
}
