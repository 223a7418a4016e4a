// Debian's Chromium, driven without a window.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

/** Starts a browser with its own profile. `port` is for other tools that drive it. */
export async function startBrowser(options = {}, port = 0) {
  const profile = mkdtempSync(join(tmpdir(), "redwing-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.REDWING_AUDIT_CHROMIUM,
    args: [`--remote-debugging-port=${port}`],
    ...options,
  });
  const stop = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, stop };
}
