//! One breakage of the data: found under the name of its invariant, and repaired without a loss of user data.

use redwing::audit::{Repair, Report};

use super::{
    damage::{self, Breakage, Outcome},
    data_copy::DataCopy,
    scene::{Scene, UserViews},
};
use crate::support::crowd::member;

/// Maximum number of faults that a report lists per invariant. Above it, the report lists one of
/// each kind.
const LISTED: u64 = 5;

/// Returns the examples of an invariant, and the number of faults.
pub fn wrong(report: &Report, invariant: &str) -> (u64, String) {
    let (_, finding) = report
        .findings()
        .find(|(found, _)| found.name == invariant)
        .expect("every invariant is reported");
    (finding.wrong, finding.examples.join("\n"))
}

fn kind(faults: &str) -> String {
    faults.replace(|c: char| c.is_ascii_digit(), "")
}

/// A scene without faults, with everything that its users see.
struct SoundScene {
    scene: Scene,
    views: UserViews,
    data: DataCopy,
}

impl SoundScene {
    async fn set() -> Self {
        let scene = Scene::set(&[]).await;
        assert!(scene.check().await.is_clean(), "the scene has no fault");
        let views = scene.user_views().await;
        let data = DataCopy::of(&scene.core.redis);
        Self { scene, views, data }
    }

    /// Shows that the site can be used without new faults.
    async fn use_site(&self) {
        member(&self.scene.core.store, "newcomer").await;
        self.scene.continue_using_site().await;
        let used = self.scene.check().await;
        assert!(used.is_clean(), "{used}");
    }
}

/// The state of a scene after a breakage and its repair.
#[derive(PartialEq, Eq)]
enum After {
    AsBefore,
    Changed,
}

/// Breaks a scene, and repairs it.
async fn assert_found_and_repaired(sound: &SoundScene, breakage: &Breakage) -> After {
    let Breakage {
        invariant,
        outcome,
        commands,
        example,
    } = breakage;
    let SoundScene { scene, views, .. } = sound;
    scene.damage(commands);

    let report = scene.check().await;
    let (count, examples) = wrong(&report, invariant);
    assert!(!report.is_clean() && count > 0, "{commands}:\n{report}");
    let example = scene.filled(example);
    let is_listed = if count <= LISTED {
        examples.contains(&example)
    } else {
        kind(&examples).contains(&kind(&example))
    };
    assert!(is_listed, "{commands}: {example}\n{report}");

    let mut repair = scene.repair().await;
    if *outcome == Outcome::Orphaned {
        assert!(!repair.is_clean() && repair.orphans() > 0, "{repair}");
        assert!(repair.to_string().contains("--drop-orphans"), "{repair}");
        repair = scene.repair_with(Repair::DropOrphans).await;
    }
    let is_repaired = *outcome != Outcome::Reported;
    assert_eq!(repair.is_clean(), is_repaired, "{commands}:\n{repair}");
    if !is_repaired {
        let after = scene.check().await;
        assert!(!after.is_clean(), "{commands}:\n{after}");
        member(&scene.core.store, "newcomer").await;
        return After::Changed;
    }
    // The last walk of the repair has examined everything, and found nothing to repair.
    assert!(!repair.repairs().is_empty(), "{commands}:\n{repair}");
    if matches!(outcome, Outcome::Whole | Outcome::Orphaned) {
        assert_eq!(scene.user_views().await, *views, "{commands}");
        return After::AsBefore;
    }
    sound.use_site().await;
    After::Changed
}

/// Breaks an invariant in each of its ways. A repaired scene is broken again, and last the site is used.
pub async fn assert_all_found_and_repaired(invariants: &[&str]) {
    let sound = SoundScene::set().await;
    for breakage in damage::of(invariants) {
        if assert_found_and_repaired(&sound, &breakage).await == After::Changed {
            sound.data.put_back();
        }
    }
    sound.use_site().await;
}

/// Does the same with new data for each way, where a repair leaves other data than the scene had.
pub async fn assert_each_found_and_repaired(invariants: &[&str]) {
    let sound = SoundScene::set().await;
    for breakage in damage::of(invariants) {
        if assert_found_and_repaired(&sound, &breakage).await == After::AsBefore {
            sound.use_site().await;
        }
        sound.data.put_back();
    }
    sound.use_site().await;
}
