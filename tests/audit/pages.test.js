// Every kind of page, for visitors and members, on a phone and on a desktop: no finding of axe and of the HTML
// checker, and no layout shift.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import vnuJar from "vnu-jar";
import { startBrowser } from "./browser.js";
import { findPaths, logIn, startSite } from "./site.js";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "light" };
const DESKTOP = { viewport: { width: 1280, height: 900 }, colorScheme: "dark" };

/** Returns whether the HTML checker refuses `rel=expect` with `blocking`. The HTML standard allows it. */
const isAboutExpect = ({ message, extract }) => message.includes("“blocking” attribute") && extract?.includes("<link rel=expect ");

let site;
let paths;

before(async () => {
  site = await startSite();
  const { context, stop } = await startBrowser();
  await logIn(context, site.origin);
  paths = await findPaths(context, site.origin);
  await stop();
});

after(() => site.stop());

/** Opens each page of the audience in an own browser, and collects what `examine` finds. */
async function visit(audience, options, examine) {
  const { context, stop } = await startBrowser(options);
  const findings = [];
  try {
    if (audience === "member") await logIn(context, site.origin);
    const page = await context.newPage();
    for (const path of paths[audience]) {
      const found = await examine(page, path);
      findings.push(...found.map((finding) => `${path}: ${finding}`));
    }
  } finally {
    await stop();
  }
  return findings;
}

/** Loads a page, with the live stream of a member, until everything is drawn. */
async function load(page, path) {
  const live = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/live");
  live.catch(() => null);
  await page.goto(site.origin + path);
  if (await page.locator("script[src*=live]").count()) await live;
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  });
}

/** Returns the findings of axe. */
async function examineAccess(page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(" ")}`);
}

/** How often a page is loaded before a shift counts. */
const LOADS = 3;

/**
 * Returns what moved on every one of several loads. A busy machine sometimes paints a page before it has arrived
 * completely, and then the rest moves what is there. A shift by a style or a script happens on every load.
 */
async function findShifts(page, path) {
  for (let loads = 1; ; loads += 1) {
    await load(page, path);
    const shifts = await examineShift(page);
    if (shifts.length === 0 || loads === LOADS) return shifts;
  }
}

/** Returns what moved since the whole page was read. */
function examineShift(page) {
  return page.evaluate(async () => {
    const observer = new PerformanceObserver(() => null);
    observer.observe({ type: "layout-shift", buffered: true });
    const [{ domInteractive }] = performance.getEntriesByType("navigation");
    const shifts = observer.takeRecords().filter(({ startTime }) => startTime > domInteractive);
    observer.disconnect();
    const place = ({ x, y, width, height }) => `${x},${y} ${width}x${height}`;
    return shifts.map(({ value, startTime, sources }) => {
      const moved = sources.map(({ node, previousRect, currentRect }) => {
        const element = (node?.outerHTML ?? node?.parentElement?.outerHTML)?.slice(0, 80);
        return `${element} from ${place(previousRect)} to ${place(currentRect)}`;
      });
      return `moves by ${value} after ${startTime} ms: ${moved.join(", ")}`;
    });
  });
}

for (const audience of ["visitor", "member"]) {
  for (const [device, options] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
    test(`axe finds nothing and nothing moves on the pages of a ${audience} on a ${device}`, async () => {
      const examine = async (page, path) => {
        const shifts = await findShifts(page, path);
        return [...shifts, ...(await examineAccess(page))];
      };
      assert.deepEqual(await visit(audience, options, examine), []);
    });
  }

  test(`the HTML of the pages of a ${audience} is valid`, async () => {
    const dir = mkdtempSync(join(tmpdir(), "redwing-html-"));
    const files = new Map();
    await visit(audience, {}, async (page, path) => {
      const file = join(dir, `${files.size}.html`);
      const answer = await page.request.get(site.origin + path);
      writeFileSync(file, await answer.text());
      files.set(file, path);
      return [];
    });
    const arguments_ = ["-jar", vnuJar, "--format", "json", "--stdout", "--exit-zero-always", ...files.keys()];
    const checker = spawnSync("java", arguments_, { encoding: "utf8", maxBuffer: 1 << 26 });
    rmSync(dir, { recursive: true, force: true });
    assert.equal(checker.status, 0, checker.stderr);
    const messages = JSON.parse(checker.stdout).messages.filter((message) => !isAboutExpect(message));
    const findings = messages.map(({ url, message, extract }) => {
      const path = files.get(new URL(url).pathname);
      return `${path}: ${message} ${extract ?? ""}`;
    });
    assert.deepEqual(findings, []);
  });
}
