/** Shows the page that the address names, and another whenever that changes. */

import { h, replace } from "./core/dom.js";
import { requests, target } from "./core/api.js";
import { dropDrafts } from "./core/draft.js";
import { freshness } from "./core/live.js";
import { address, match, readAddress } from "./core/router.js";
import { can, loadSession, session, signOut } from "./core/session.js";
import { CurlHint } from "./components/curl-hint.js";
import { ProblemView } from "./components/problem-view.js";
import { ofApp, pages } from "./pages.js";

const main = h("main", { id: "main", tabindex: -1 });
const header = h("header");
const footer = h("footer");
/** Says why the page is not up to date, while it is not. */
const notice = h("div", { class: "stale", role: "status" });
document.body.replaceChildren(
    h("a", { class: "skip", href: "#main", onclick: (event) => { event.preventDefault(); main.focus(); } }, "Skip to the page"),
    header, notice, main, footer);

/** What belongs to the page that is shown: ends its requests and its events when another is. */
let leaving = new AbortController();
/** The requests that the page has sent. */
let sent = [];

requests.addEventListener("request", ({ detail }) => {
    // A request that is made again and again while one types is shown as it was made last.
    sent = [...sent.filter((one) => one.method !== detail.method || target(one) !== target(detail)), detail];
});
document.addEventListener("signed-out", () => { if (session()) start(); });
freshness.addEventListener("change", ({ detail }) => {
    if (notice.textContent !== (detail ?? "")) replace(notice, detail && h("p", { class: "notice" }, detail));
});
// The page shows something that is not there any more: it says so in place of its old figures, and offers nothing to do with them.
document.addEventListener("gone", () => show());
window.addEventListener("hashchange", () => follow());

async function start() {
    try {
        await loadSession();
        await show();
    } catch (problem) {
        replace(main, new ProblemView(problem));
    }
}

/** Shows the page of a new address; the keyboard stays at the control that led there, or begins at the page. */
async function follow() {
    const { name } = document.activeElement;
    await show();
    const same = name ? main.querySelector(`[name="${CSS.escape(name)}"]`) : null;
    if (!main.contains(document.activeElement)) (same ?? main).focus({ preventScroll: same !== null });
    if (!same) window.scrollTo(0, 0);
}

async function show() {
    leaving.abort();
    leaving = new AbortController();
    const { signal } = leaving;
    sent = [];
    replace(notice);
    if (!session()) {
        const { show: showSignIn } = await import("./pages/sign-in.js");
        showHeader({});
        return present("Sign in", showSignIn({ signedIn: () => show() }), false);
    }
    const { segments, query } = readAddress();
    const found = match(pages, segments);
    showHeader(found?.params ?? {});
    if (!found) return present("Not found", [h("h1", null, "There is no such page"), h("p", null, h("a", { href: "#/" }, "To the overview"))]);
    if (!can(found.page.scope)) {
        const { title, scope } = found.page;
        return present(title, [h("h1", null, title), h("p", null, `The key has not the scope ${scope}, which this page needs.`)]);
    }
    main.setAttribute("aria-busy", "true");
    let content;
    try {
        const module = await found.page.load();
        content = await module.show({
            params: found.params, query, segments, signal, again: () => show(),
            within: (app) => { if (!signal.aborted) showHeader({ app }); },
        });
    } catch (problem) {
        if (signal.aborted) return;
        // It follows nothing any more, as an app that is gone, of which it would be told again and again.
        leaving.abort();
        return present(found.page.title, [h("h1", null, found.page.title), new ProblemView(problem)]);
    }
    if (!signal.aborted) present(found.page.title, content);
}

function present(title, content, hasCurl = true) {
    const path = readAddress().segments.filter((part) => part.length < 36).join(" · ");
    document.title = `${title}${path ? ` · ${path}` : ""} – realmshift`;
    main.removeAttribute("aria-busy");
    replace(main, content);
    replace(footer, hasCurl && new CurlHint(() => sent, "This page by curl"),
        h("a", { href: "/openapi.json" }, "The API’s description"));
}

function showHeader({ app }) {
    const here = location.hash || "#/";
    const link = (segments, text, isHere = null) => {
        const target = address(segments);
        const isCurrent = isHere ?? (here === target || here.startsWith(`${target}?`) || here.startsWith(`${target}/`));
        return h("a", { href: target, "aria-current": isCurrent ? "page" : null }, text);
    };
    replace(header,
        h("a", { class: "brand", href: "#/" }, "realmshift"),
        session() && h("nav", { "aria-label": "Service" }, link([], "Overview", here === "#/"), link(["jobs"], "Jobs"),
            can("admin") && [link(["keys"], "Keys"), " ", link(["audit"], "Audit log")]),
        session() && h("p", { class: "who" }, h("span", { title: `Scopes: ${session().key.scopes.join(", ")}` }, session().key.name),
            h("button", { type: "button", onclick: () => leave() }, "Sign out")),
        session() && app && h("nav", { "aria-label": `App ${app}`, class: "app" }, h("strong", null, app),
            ofApp.map(([text, rest]) => link(["apps", app, ...rest], text, rest.length === 0 ? here === address(["apps", app]) : null))));
}

async function leave() {
    try {
        await signOut();
        dropDrafts();
        await show();
    } catch (problem) {
        replace(main, new ProblemView(problem));
    }
}

start();
