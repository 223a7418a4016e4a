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
    { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, REDWING_LOG: "warn", REDWING_PAGE_SECONDS_PER_MINUTE: "0" } },
  );
  const stop = async () => {
    const ended = new Promise((resolve) => site.on("exit", resolve));
    if (site.exitCode === null && site.kill("SIGTERM")) await ended;
    rmSync(data, { recursive: true, force: true });
  };
  try {
    await untilReady(origin, site);
    for (const command of [["seed"], ["admin", "role", LOGIN, "owner"]]) {
      const ended = spawnSync(binary, ["--data-dir", data, ...command], { encoding: "utf8" });
      if (ended.status !== 0) throw new Error(`${command.join(" ")} failed: ${ended.stderr}${ended.stdout}`);
    }
    return { origin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Settings that have a page of their own. */
const SETTINGS = [
  "muted", "muted-words", "muted-conversations", "blocked", "privacy", "requests", "followers", "sessions", "display",
  "messages", "reports", "files", "export", "recovery", "device", "login", "leave", "invitations",
];

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
  const conversation = await link("/messages", "main li a[href^='/messages/']");
  const person = "/@thandi";
  const theirs = await link(person, "article time a, article a:has(time)");
  await page.close();
  const [ownId, otherId] = [post, theirs].map((path) => path.split("/").pop());
  const open = [
    `/@${LOGIN}`, `/@${LOGIN}/replies`, post, reply, tag, "/everybody", "/rules", "/search", "/search?q=the",
    "/groups", "/groups/mill-pond-birds", "/help/groups", "/help/posting", "/help/messages", "/help/leaving", "/help/importance",
  ];
  const about = [`${post}/reposts`, `${post}/favourites`, `${post}/versions`, "/nowhere"];
  return {
    home: "/",
    profile: `/@${LOGIN}`,
    post,
    visitor: ["/", "/login", "/login/recover", "/login/device", "/signup", ...open, ...about],
    member: [
      "/", "/important", "/compose", "/notifications", "/notifications?show=mentions", "/mentions", "/favourites", "/bookmarks", "/tags", "/lists",
      list, `${list}/members`, `${list}/edit`, `${list}/delete`,
      "/groups/mine", "/groups/new", "/groups/notices",
      ...["members", "members/moss", "requests", "invitations", "bans", "log", "settings", "delete", "leave", "report"].map(
        (page) => `/groups/mill-pond-birds/${page}`,
      ),
      "/messages", conversation, "/messages/new", "/messages/requests", "/messages/search?q=the",
      "/settings", ...SETTINGS.map((name) => `/settings/${name}`),
      "/admin", "/admin/people", `/admin${person.replace("@", "people/")}`,
      `/admin${person.replace("@", "people/")}/invited`, "/admin/reports", "/admin/appeals",
      "/admin/approvals", "/admin/site", "/admin/site/shields",
      `/@${LOGIN}/followers`, `/@${LOGIN}/following`, person, `${person}/report`,
      ...["menu", "edit", "delete", "reply-control"].map((page) => `/statuses/${ownId}/${page}`),
      ...["quote", "report"].map((page) => `/statuses/${otherId}/${page}`), ...open, ...about,
    ],
  };
}
