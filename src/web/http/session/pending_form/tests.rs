use super::*;

#[test]
fn a_post_names_the_group_to_post_it_in() {
    let group = |visibility: &str| {
        let visibility = visibility.to_owned();
        let post = PostFields {
            visibility,
            ..PostFields::default()
        };
        post.group()
    };
    assert_eq!(group("group:7"), "7".parse().ok());
    assert_eq!(group("followers"), None);
    assert_eq!(group("group:x"), None);
}

fn post(message: &str) -> PostFields {
    PostFields {
        message: message.to_owned(),
        ..PostFields::default()
    }
}

/// Every form, with the text under which sessions store it.
#[expect(clippy::too_many_lines, reason = "it is a list of all forms")]
fn stored() -> Vec<(&'static str, PendingForm)> {
    let list = ListNumber::new(7).unwrap();
    let edited = |exclusive| PendingForm::EditedList {
        list,
        name: "Boats".to_owned(),
        exclusive,
        shown: String::new(),
    };
    let poll = PostFields {
        warning: "Spoilers".to_owned(),
        option_2: "Tea".to_owned(),
        option_4: "Coffee".to_owned(),
        several: Some("1".to_owned()),
        hours: "24".to_owned(),
        visibility: "members".to_owned(),
        repliers: "followers".to_owned(),
        quoting_closed: Some("1".to_owned()),
        edit_of: "4096".to_owned(),
        thread: ThreadFields {
            post_2: Some("More".to_owned()),
            ..ThreadFields::default()
        },
        ..PostFields::default()
    };
    let reply = PendingForm::Reply {
        reply_to: StatusId::new(12).unwrap(),
        post: post("a \"b\"\r\nc"),
    };
    let edit = PendingForm::Edit {
        status: StatusId::new(4096).unwrap(),
        message: "hello".to_owned(),
        warning: String::new(),
        revision: 2,
        visibility: "followers".to_owned(),
    };
    let profile = PendingForm::Profile {
        name: String::new(),
        bio: "Boats.".to_owned(),
        shown: "bio=1f".to_owned(),
    };
    let group = || GroupFields {
        name: "Boats".to_owned(),
        slug: "boats".to_owned(),
        kind: "public".to_owned(),
        joining: "open".to_owned(),
        ..GroupFields::default()
    };
    let name = "Neighbours".to_owned();
    let login = "bob".to_owned();
    vec![
        (
            r#"{"form":"post","message":"hello","warning":"","option_1":"","option_2":"","option_3":"","option_4":"","several":null,"hours":"","visibility":""}"#,
            PendingForm::Post(post("hello")),
        ),
        (
            r#"{"form":"post","message":"","warning":"Spoilers","option_1":"","option_2":"Tea","option_3":"","option_4":"Coffee","several":"1","hours":"24","visibility":"members","repliers":"followers","quoting_closed":"1","edit_of":"4096","post_2":"More"}"#,
            PendingForm::Post(poll),
        ),
        (
            r#"{"form":"reply","reply_to":"12","message":"a \"b\"\r\nc","warning":"","option_1":"","option_2":"","option_3":"","option_4":"","several":null,"hours":"","visibility":""}"#,
            reply,
        ),
        (
            r#"{"form":"edit","status":"4096","message":"hello","warning":"","revision":2,"visibility":"followers"}"#,
            edit,
        ),
        (
            r#"{"form":"profile","name":"","bio":"Boats.","shown":"bio=1f"}"#,
            profile,
        ),
        (
            r#"{"form":"new_list","name":"Neighbours"}"#,
            PendingForm::NewList { name },
        ),
        (
            r#"{"form":"edited_list","list":"7","name":"Boats","exclusive":true}"#,
            edited(true),
        ),
        (
            r#"{"form":"edited_list","list":"7","name":"Boats","exclusive":false}"#,
            edited(false),
        ),
        (
            r#"{"form":"list_member","list":"7","login":"bob"}"#,
            PendingForm::ListMember { list, login },
        ),
        (
            r#"{"form":"people_file","file":"muted","lines":"bob"}"#,
            PendingForm::PeopleFile {
                file: PeopleFile::Muted,
                lines: "bob".to_owned(),
            },
        ),
        (
            r#"{"form":"message","chat":"0000000000000000000000000000000f","message":"Hello"}"#,
            PendingForm::Message {
                chat: "0000000000000000000000000000000f".parse().unwrap(),
                message: "Hello".to_owned(),
            },
        ),
        (
            r#"{"form":"edited_message","chat":"0000000000000000000000000000000f","id":"7","message":"Hello","revision":2}"#,
            PendingForm::EditedMessage {
                chat: "0000000000000000000000000000000f".parse().unwrap(),
                id: MessageId::new(7).unwrap(),
                message: "Hello".to_owned(),
                revision: 2,
            },
        ),
        (
            r#"{"form":"new_message","people":"bob","message":"Hello"}"#,
            PendingForm::NewMessage {
                people: "bob".to_owned(),
                message: "Hello".to_owned(),
            },
        ),
        (
            r#"{"form":"new_group","name":"Boats","slug":"boats","description":"","rules":"","kind":"public","readable_by":"","joining":"open","past":"","unlisted":null,"replies_closed":null}"#,
            PendingForm::NewGroup(group()),
        ),
        (
            r#"{"form":"group_settings","group":"boats","name":"Boats","slug":"boats","description":"","rules":"","kind":"public","readable_by":"","joining":"open","past":"","unlisted":null,"replies_closed":null}"#,
            PendingForm::GroupSettings {
                group: "boats".parse().unwrap(),
                fields: group(),
            },
        ),
        (
            r#"{"form":"group_person","group":"boats","login":"bob","note":""}"#,
            PendingForm::GroupPerson {
                group: "boats".parse().unwrap(),
                login: "bob".to_owned(),
                note: String::new(),
            },
        ),
        (
            r#"{"form":"removed_post","status":"4096","note":"Off topic."}"#,
            PendingForm::RemovedPost {
                status: StatusId::new(4096).unwrap(),
                note: "Off topic.".to_owned(),
            },
        ),
        (
            r#"{"form":"report","page":"/@bob/report","reason":"spam","note":"Again."}"#,
            PendingForm::Report {
                page: "/@bob/report".to_owned(),
                reason: "spam".to_owned(),
                note: "Again.".to_owned(),
            },
        ),
        (
            r#"{"form":"appeal","number":7,"appeal":"It was art."}"#,
            PendingForm::Appeal {
                number: 7,
                appeal: "It was art.".to_owned(),
            },
        ),
        (
            r#"{"form":"decision","login":"bob","measure":"warn","reason":"spam","explanation":"Stop.","days":"","warning":"","post":"4096","revision":3}"#,
            PendingForm::Decision {
                login: "bob".to_owned(),
                measure: "warn".to_owned(),
                reason: "spam".to_owned(),
                explanation: "Stop.".to_owned(),
                days: String::new(),
                warning: String::new(),
                post: "4096".to_owned(),
                revision: 3,
            },
        ),
        (
            r##"{"form":"muted_text","text":"#boats","term":"week"}"##,
            PendingForm::MutedText {
                text: "#boats".to_owned(),
                term: MuteTerm::Week,
            },
        ),
    ]
}

#[test]
fn every_form_has_its_stored_text_and_is_read_back_whole() {
    let stored = stored();
    for (text, form) in &stored {
        assert_eq!(form.to_json(), *text);
        assert_eq!(PendingForm::from_json(text).as_ref(), Some(form));
    }
    // serde names all variants, so a new one needs its text here.
    let error = serde_json::from_str::<PendingForm>(r#"{"form":"?"}"#).unwrap_err();
    let error = error.to_string();
    let variants = error.split('`').skip(3).step_by(2);
    for variant in variants {
        let tag = format!(r#"{{"form":"{variant}""#);
        let is_stored = stored.iter().any(|(text, _)| text.starts_with(&tag));
        assert!(is_stored, "{variant} has no stored text");
    }
    assert_eq!(error.matches('`').count(), 2 + 2 * 19);
}

#[test]
fn a_form_is_read_without_the_fields_that_a_post_may_lack() {
    let form = PendingForm::from_json(r#"{"form":"post","message":"hello"}"#);
    assert_eq!(form, Some(PendingForm::Post(post("hello"))));
}

/// Earlier versions stored the messages that are sent with a report, and no revision of a case.
#[test]
fn forms_of_earlier_versions_are_read() {
    for text in [
        r#"{"form":"report","page":"/messages/1/3/report","reason":"spam","note":"Again.","chosen":["2"]}"#,
        r#"{"form":"decision","login":"bob","measure":"warn","reason":"spam","explanation":"Again.","days":"","warning":"","post":""}"#,
    ] {
        let form = PendingForm::from_json(text).expect(text);
        assert_eq!(form.texts(), ["Again."]);
    }
}

#[test]
fn a_malformed_form_is_refused() {
    for text in [
        "",
        "hello",
        "{}",
        r#"{"form":"password"}"#,
        r#"{"form":"reply","message":"hello"}"#,
        r#"{"form":"reply","reply_to":"x","message":"hello"}"#,
        r#"{"form":"list_member","list":"0","login":"bob"}"#,
    ] {
        assert_eq!(PendingForm::from_json(text), None, "{text}");
    }
}

#[test]
fn a_blank_form_has_no_text() {
    assert!(PendingForm::Post(post(" \n")).texts().is_empty());
    let list = ListNumber::new(7).unwrap();
    let login = " ".to_owned();
    assert!(PendingForm::ListMember { list, login }.texts().is_empty());
}
