// Addresses, taken apart and encoded as Foundation does it (RFC 3986).

class SURL {
  constructor(parts) { Object.assign(this, parts); }
  get text() {
    const { scheme, authority, path, query, fragment } = this;
    return (scheme === null ? "" : scheme + ":") + (authority === null ? "" : "//" + authority) + path + (query === null ? "" : "?" + query) + (fragment === null ? "" : "#" + fragment);
  }
}
const urlAllowed = { user: /[\w.~!$&'()*+,;=:-]/, path: /[\w.~!$&'()*+,;=:@/-]/, query: /[\w.~!$&'()*+,;=:@/?-]/ };
// A part as it is where it is valid, else with all that is not allowed encoded, also what was.
function urlPart(text, allowed) {
  const rest = text.replace(/%[0-9A-Fa-f]{2}/g, "");
  if (Array.from(rest).every(scalar => scalar < "\x80" && allowed.test(scalar))) return text;
  return $.percentEncoded(text, allowed);
}
// The user, the host and the port; null where they are none.
function urlAuthority(text) {
  const [, user, host, port] = /^(?:(.*)@)?(\[[^\]]*\]|[^:]*)(:.*)?$/s.exec(text) ?? [];
  if (host === undefined || !/^(?::\d*)?$/.test(port ?? "")) return null;
  if (nonASCII.test(host)) trap("The host of a URL is known here in ASCII alone: write it as it is looked up, with ‘xn--’");
  if (!/^(?:\[[0-9A-Fa-f:.]*\]|(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)$/.test(host)) return null;
  return (user === undefined ? "" : urlPart(user, urlAllowed.user) + "@") + host + (port ?? "");
}
$.url = text => {
  if (text === "") return null;
  const [, first, authority, path, query, fragment] = /^([^:/?#]*:)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text);
  if (first === ":") trap("A URL that begins with a colon is not understood");
  if (first !== undefined && !/^[A-Za-z][A-Za-z0-9+.-]*:$/.test(first)) return null;
  const written = authority === undefined ? undefined : urlAuthority(authority);
  if (written === null) return null;
  return new SURL({
    scheme: first === undefined ? null : first.slice(0, -1), authority: written ?? null, path: urlPart(path, urlAllowed.path),
    query: query === undefined ? null : urlPart(query, urlAllowed.query), fragment: fragment === undefined ? null : urlPart(fragment, urlAllowed.query),
  });
};
$.fileURL = path => {
  if (path[0] !== "/") trap("A path that begins at no root leads nowhere here");
  return new SURL({ scheme: "file", authority: "", path: $.percentEncoded(path, urlAllowed.path), query: null, fragment: null });
};
function urlDecoded(text) { try { return decodeURIComponent(text); } catch { return ""; } }
function urlName(url) { return url.path === "" ? "" : url.path.split("/").filter(part => part !== "").pop() ?? "/"; }
$.urlPath = url => urlDecoded(url.path.length > 1 ? url.path.replace(/\/$/, "") : url.path);
$.urlName = url => urlDecoded(urlName(url));
$.urlExtension = url => $.pathExtension($.urlName(url));
$.urlComponents = url => (url.path[0] === "/" ? ["/"] : []).concat(url.path.split("/").filter(part => part !== "").map(urlDecoded));
$.urlHost = url => {
  const host = url.authority === null ? "" : /^(?:.*@)?(\[[^\]]*\]|[^:]*)/.exec(url.authority)[1];
  return host === "" ? null : urlDecoded(host.replace(/[[\]]/g, ""));
};
$.urlPort = url => { const port = url.authority === null ? null : /:(\d+)$/.exec(url.authority.replace(/^.*[@\]]/, "")); return port === null ? null : Number(port[1]); };
$.urlAppending = (url, part) => {
  const added = $.percentEncoded(part, urlAllowed.path).replace(/^\//, "");
  const path = url.path === "" && url.authority === null ? (url.scheme === null ? "./" : "") + added : url.path.replace(/\/$/, "") + "/" + added;
  return new SURL({ ...url, path });
};
$.urlParent = url => {
  const isRooted = url.path[0] === "/", path = url.path.replace(/\/+$/, ""), name = path.substring(path.lastIndexOf("/") + 1);
  const above = path.substring(0, path.length - name.length).replace(/\/+$/, "/");
  if (url.path === "") return url.authority === null ? new SURL({ ...url, path: "../" }) : url;
  if (isRooted && (name === "." || name === "..")) trap("The folder above this URL is not known here");
  if (name === "..") return new SURL({ ...url, path: path + "/../" });
  if (name === ".") return new SURL({ ...url, path: above + "../" });
  if (above !== "" || isRooted) return new SURL({ ...url, path: above === "" ? "/" : above });
  return new SURL({ ...url, path: url.scheme === null ? "./" : "" });
};
