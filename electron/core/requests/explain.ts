import type { Kept } from './groups.ts';

/** Rule that an answer follows: a sentence, and where it is written. */
export interface Rule {
  readonly text: string;
  readonly section: string;
}

const HTTP: Readonly<Record<number, Rule>> = {
  400: {
    text: 'The request is not as the operation takes it; the message names the first field, what it takes and what it got.',
    section: 'docs/api.md, Fields',
  },
  401: {
    text: 'The API key or the device token is missing, unknown, renewed, revoked or expired.',
    section: 'docs/api.md, Access',
  },
  403: {
    text: 'The API key is known and may not do this: it lacks a permission, or is limited to other projects.',
    section: 'docs/api.md, Access',
  },
  404: { text: 'There is nothing of this id, or no such address.', section: 'docs/api.md, Order of checks' },
  413: { text: 'The body is larger than may be.', section: 'docs/running.md, Limits' },
  415: { text: 'The body has no type that the operation takes.', section: 'docs/api.md, Statuses' },
  429: {
    text: 'Too much is on its way at once: the sender waits and sends it again.',
    section: 'docs/running.md, Limits',
  },
};

/** Returns the rule that the answer of a request follows. */
export function ruleOf({ door, method, operation, status, isRefused, fault }: Kept): Rule {
  if (fault !== null) return FAULT;
  const isHttp = door === 'http' || door === 'https';
  if (!isHttp) return isRefused ? ofMqtt(method) : ACCEPTED_MQTT;
  if (!isRefused) return operation === 'ingest' ? STORED : ACCEPTED;
  return (
    HTTP[status] ?? {
      text:
        status >= 500 ? 'The service could not do it; nothing of it was stored.' : 'The request was refused.',
      section: 'docs/api.md, Statuses',
    }
  );
}

const STORED: Rule = {
  text: 'The records are on the disk: what is accepted is not lost.',
  section: 'docs/api.md, How devices store data',
};
const ACCEPTED: Rule = { text: 'The operation was done.', section: 'docs/api.md, Statuses' };
const ACCEPTED_MQTT: Rule = {
  text: 'The packet was taken; a message that was acknowledged is on the disk.',
  section: 'docs/mqtt.md, Storing',
};

const FAULT: Rule = {
  text: 'A fault that was switched on acted on it: what came of it is no rule of the service.',
  section: 'docs/rigs.md, Faults',
};

function ofMqtt(method: string): Rule {
  if (method === 'CONNECT')
    return {
      text: 'The client was not signed in; the message says why.',
      section: 'docs/mqtt.md, Signing in',
    };
  if (method === 'PUBLISH')
    return {
      text: 'The message was not stored; the message of the refusal says why.',
      section: 'docs/mqtt.md, Storing',
    };
  return { text: 'The service ended the connection; the message says why.', section: 'docs/mqtt.md, Limits' };
}

/** A line for a shell that sends a request again, with `$KEY` or `$TOKEN` for its secret; null over MQTT. */
export function curlOf({ door, method, path, operation, body }: Kept, base_url: string): string | null {
  if (door !== 'http' && door !== 'https') return null;
  const secret = operation === 'ingest' ? '$TOKEN' : '$KEY';
  const parts = ['curl', '-X', method, quoted(base_url + path), '-H', `"Authorization: Bearer ${secret}"`];
  if (body !== null) parts.push('-H', quoted('Content-Type: application/json'), '--data', quoted(body));
  return parts.join(' ');
}

/** A word for a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
