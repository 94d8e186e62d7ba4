// talk.js -- what is asked of the server: JSON, relative to the page (doc/formats/explore.md).
export class Refused extends Error {
  constructor(error) {
    super(error.message);
    this.error = error; // {kind, message, hint, ...}
  }
}

async function answer(response) {
  let data = null;
  try {
    data = await response.json();
  } catch {
    throw new Refused({ kind: 'server', message: `the server answered ${response.status} without an explanation` });
  }
  if (!response.ok || data.error) throw new Refused(data.error || { kind: 'server', message: `the server answered ${response.status}` });
  return data;
}

// base: where requests go, "api/".
export function openTalk(base) {
  const send = async (path, how) => {
    let response;
    try {
      response = await fetch(base + path, { cache: 'no-store', ...how });
    } catch {
      throw new Refused({ kind: 'server', message: 'the server does not answer: has thimble explore ended?' });
    }
    return answer(response);
  };
  const post = (name, body) => send(name, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  return {
    ask: (name, args = {}) => {
      const query = new URLSearchParams(Object.entries(args)).toString();
      return send(name + (query ? '?' + query : ''), {});
    },
    tell: (name, args = {}) => post(name, JSON.stringify(args)),
    give: post, // a file as it is
  };
}
