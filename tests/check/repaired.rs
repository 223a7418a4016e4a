//! One breakage of the data: found under the name of its invariant, and repaired without a loss of user data.

use redwing::audit::{Repair, Report};

use super::{
    damage::{self, Breakage, Outcome},
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
}

impl SoundScene {
    async fn set() -> Self {
        let scene = Scene::set(&[]).await;
        assert!(scene.check().await.is_clean(), "the scene has no fault");
        let views = scene.user_views().await;
        Self { scene, views }
    }

    /// Shows that the site can be used without new faults.
    async fn finish(self) {
        member(&self.scene.core.store, "newcomer").await;
        self.scene.continue_using_site().await;
        let used = self.scene.check().await;
        assert!(used.is_clean(), "{used}");
    }
}

/// Breaks a scene, and repairs it. Returns it if it is as before.
async fn assert_found_and_repaired(sound: SoundScene, breakage: &Breakage) -> Option<SoundScene> {
    let Breakage {
        invariant,
        outcome,
        commands,
        example,
    } = breakage;
    let SoundScene { scene, views } = &sound;
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
        return None;
    }
    assert!(!repair.repairs().is_empty(), "{commands}:\n{repair}");
    // It examines everything as a check does, and finds nothing to repair.
    let again = scene.repair().await;
    assert!(
        again.is_clean() && again.repairs().is_empty(),
        "{commands}:\n{again}"
    );
    if matches!(outcome, Outcome::Whole | Outcome::Orphaned) {
        assert_eq!(scene.user_views().await, *views, "{commands}");
        return Some(sound);
    }
    sound.finish().await;
    None
}

/// Breaks an invariant in each of its ways. A repaired scene is broken again, because a new one takes most of the time.
pub async fn assert_all_found_and_repaired(invariants: &[&str]) {
    let mut repaired = None;
    for breakage in damage::of(invariants) {
        let sound = match repaired.take() {
            Some(sound) => sound,
            None => SoundScene::set().await,
        };
        repaired = assert_found_and_repaired(sound, &breakage).await;
    }
    if let Some(sound) = repaired {
        sound.finish().await;
    }
}

/// Does the same with a new scene for each way, where a repair leaves other data than the scene had.
pub async fn assert_each_found_and_repaired(invariants: &[&str]) {
    for breakage in damage::of(invariants) {
        let repaired = assert_found_and_repaired(SoundScene::set().await, &breakage).await;
        if let Some(sound) = repaired {
            sound.finish().await;
        }
    }
}
