import { once } from 'node:events';
import type { OutputOf } from '#shared/operations/index.ts';
import { MAX_REQUESTS } from '#shared/operations/service/requests.ts';
import { countOf } from '#shared/values/counts.ts';
import { UsageError } from '../../base/errors.ts';
import { printable } from '../printable.ts';
import { SCOPE_FLAGS, SCOPE_FLAGS_HELP } from '../names/look-up.ts';
import { deviceOf } from './devices.ts';
import { nounCommand } from './noun-command.ts';
import { REQUEST_FLAGS, REQUEST_FLAGS_HELP, requestLines, requestsAsked } from './requests.ts';

/* What comes is printed as it comes, until as much as was asked for is there, or somebody ends the command. */

/** ms of one question: a service elsewhere counts as dead after some 30 s without a byte. */
const WAIT_MS = 20_000;

/** Requests that are asked for at once. */
const PAGE = MAX_REQUESTS;

type Request = OutputOf<'requests.list'>[number];

const COUNT = { count: { type: 'string' } } as const;
const COUNT_HELP = '  --count N           ends after so many (goes on until Ctrl C)';

/** `fieldbench records tail`. */
export const recordsTail = nounCommand({
  flags: { ...SCOPE_FLAGS, ...COUNT },
  help: `${SCOPE_FLAGS_HELP}\n${COUNT_HELP}`,
  example: 'records tail --device ESP32',
  async run({ ask, names, values, print, remark }) {
    const of = await deviceOf(names, values);
    let { after } = await ask('records.follow', of);
    await follow(numberOf(values.count), async () => {
      const came = await ask('records.follow', { ...of, after, within_ms: WAIT_MS });
      ({ after } = came);
      if (came.missed === null)
        remark('The service forgot what it was asked for: records may be missing here.');
      else if (came.missed > 0)
        remark(`Too much came at once: ${countOf(came.missed, 'record')} left out here.`);
      return came.records.map((record) => () => print(printable(JSON.stringify(record))));
    });
    return null;
  },
});

/** `fieldbench requests -f`. */
export const requestsFollow = nounCommand({
  flags: { ...REQUEST_FLAGS, ...COUNT },
  help: `${REQUEST_FLAGS_HELP}\n${COUNT_HELP}`,
  example: 'requests -f --status refused',
  async run({ ask, values, print, isJson }) {
    const asked = requestsAsked(values);
    const flags = { status: 'status' };
    const [last] = await ask('requests.list', { limit: 1 });
    let after = last?.change ?? 0;
    let newest = last?.id ?? 0;
    await follow(numberOf(values.count), async () => {
      const came: Request[] = [];
      for (let isLast = false; !isLast;) {
        const before = came.at(-1)?.id;
        const place = before === undefined ? { within_ms: WAIT_MS } : { before };
        const page = await ask('requests.list', { ...asked, after, limit: PAGE, ...place }, flags);
        came.push(...page);
        isLast = page.length < PAGE;
      }
      after = Math.max(after, ...came.map(({ change }) => change));
      // Those that are only counted are not printed again.
      const fresh = came.filter(({ id }) => id > newest);
      newest = fresh[0]?.id ?? newest;
      return fresh.toReversed().map((request) => () => {
        for (const line of isJson ? [JSON.stringify(request)] : requestLines([request]))
          print(printable(line));
      });
    });
    return null;
  },
});

/** Prints what `next` resolves with, again and again: `count` of them, or until SIGINT, SIGTERM, or nobody reads any more. */
async function follow(count: number, next: () => Promise<readonly (() => void)[]>): Promise<void> {
  const stop = new AbortController();
  const ended = Promise.race([
    ...(['SIGINT', 'SIGTERM'] as const).map((signal) => once(process, signal, { signal: stop.signal })),
    readerGone(stop.signal),
  ]).then(() => null);
  ended.catch(() => {});
  try {
    for (let left = count; left > 0;) {
      const came = await Promise.race([next(), ended]);
      if (came === null) return;
      for (const print of came.slice(0, left)) print();
      left -= came.length;
    }
  } finally {
    stop.abort();
  }
}

/** Resolves once what is printed goes nowhere, as of `| head`. */
async function readerGone(signal: AbortSignal): Promise<void> {
  const [error] = (await once(process.stdout, 'error', { signal })) as [NodeJS.ErrnoException];
  if (error.code !== 'EPIPE') throw error;
}

function numberOf(count: string | undefined): number {
  if (count === undefined) return Infinity;
  if (/^[1-9]\d{0,14}$/.test(count)) return Number(count);
  throw new UsageError(`--count takes a whole number from 1, got "${count}".`);
}
