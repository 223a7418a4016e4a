// A site with the demo people, served by the binary of the tests on a free port of this machine.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LOGIN = "robin";
const PASSWORD = "redwing-demo";

/** Returns a port that is free now. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Asks the site until it is ready. Fails if the process ended. */
async function untilReady(origin, process) {
  while (process.exitCode === null) {
    const answer = await fetch(`${origin}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the site ended with ${process.exitCode}`);
}

/**
 * Starts a site and fills it with the demo people. Returns its origin and a function that stops it.
 */
export async function startSite() {
  const binary = process.env.REDWING_AUDIT_BINARY;
  const data = mkdtempSync(join(tmpdir(), "redwing-audit-"));
  const origin = `http://127.0.0.1:${await freePort()}`;
  const address = new URL(origin).host;
  const site = spawn(
    binary,
    ["--data-dir", data, "--listen", address, "--public-url", origin, "serve"],
    { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, REDWING_LOG: "warn" } },
  );
  const stop = async () => {
    const ended = new Promise((resolve) => site.on("exit", resolve));
    if (site.exitCode === null && site.kill("SIGTERM")) await ended;
    rmSync(data, { recursive: true, force: true });
  };
  try {
    await untilReady(origin, site);
    const seed = spawnSync(binary, ["--data-dir", data, "seed"], { encoding: "utf8" });
    if (seed.status !== 0) throw new Error(`the seed failed: ${seed.stderr}${seed.stdout}`);
    return { origin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Logs in as the most followed demo person by the form, in a new page of the context. */
export async function logIn(context, origin) {
  const page = await context.newPage();
  await page.goto(`${origin}/login`);
  await page.fill("input[name=login]", LOGIN);
  await page.fill("input[name=password]", PASSWORD);
  await page.click("main form button[type=submit]");
  await page.waitForSelector(`body[data-login=${LOGIN}]`);
  await page.close();
}

/**
 * Returns the paths of all kinds of page: for visitors, and for members. The paths of posts, people and
 * lists are those that the pages link to.
 */
export async function findPaths(context, origin) {
  const page = await context.newPage();
  const link = async (path, selector) => {
    await page.goto(origin + path);
    return new URL(await page.locator(selector).first().evaluate((found) => found.href)).pathname;
  };
  const post = await link(`/@${LOGIN}`, "article time a, article a:has(time)");
  const reply = await link(`/@${LOGIN}/replies`, "article time a, article a:has(time)");
  const list = await link("/lists", "main a[href^='/lists/']");
  const tag = await link("/tags", "main a[href^='/tags/']");
  await page.close();
  const person = "/@thandi";
  const open = [`/@${LOGIN}`, `/@${LOGIN}/replies`, post, reply, tag, "/search", "/search?q=the", "/help/posting"];
  const about = [`${post}/reposts`, `${post}/favourites`, `${post}/versions`, "/help/importance", "/nowhere"];
  return {
    home: "/",
    profile: `/@${LOGIN}`,
    post,
    visitor: ["/", "/login", "/signup", ...open, ...about],
    member: [
      "/", "/important", "/notifications", "/mentions", "/favourites", "/bookmarks", "/tags", "/lists",
      list, `${list}/members`, `${list}/edit`, `${list}/delete`, "/settings",
      "/settings/muted", "/settings/privacy", "/settings/requests", "/settings/followers", "/settings/sessions",
      `/@${LOGIN}/followers`, `/@${LOGIN}/following`, person, ...open, ...about,
    ],
  };
}
