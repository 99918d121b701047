import { deepStrictEqual, ok } from 'node:assert/strict';
import { rowsOfLines, same } from './acts.ts';
import { rangeOf, writersRequests, writersSpan, type Request } from './bodies.ts';
import { dataOf } from './client.ts';
import { ndjsonText, type Row } from './model.ts';
import type { Writers } from './script.ts';
import { localPath, timed, type Device, type World } from './world.ts';

/*
 * Many who write at once. Nobody knows in which order their requests arrive, so each record has a time of its own: then
 * the order of arrival cannot show, and every interleaving must leave the same.
 */

interface Writing {
  /** Of each writer: what it sends, and how many of them were acknowledged. */
  readonly all: readonly { readonly requests: readonly Request[]; acknowledged: number }[];
  readonly span: { readonly start: number; readonly end: number };
}

function writing(world: World, given: Writers): Writing {
  const length = writersSpan(given);
  const start = world.freshTimes(length);
  const all = writersRequests(given, start).map((requests) => ({ requests, acknowledged: 0 }));
  return { all, span: { start, end: start + length } };
}

/** Each writer sends until it is done, or until the service is gone. `told` hears of every acknowledgement. */
async function write(
  world: World,
  device: Device,
  { all }: Writing,
  told: () => void,
  killed: () => boolean,
) {
  await Promise.all(
    all.map(async (writer) => {
      for (const { body, rows } of writer.requests) {
        const asked = { token: device.token, type: 'application/json', body };
        const answer = await world.client.ask('POST', '/integrations/http', asked).catch((error: unknown) => {
          if (killed()) return null;
          throw error;
        });
        if (answer === null) return;
        deepStrictEqual(dataOf(answer), new Map([['stored', rows.length]]));
        writer.acknowledged++;
        told();
      }
    }),
  );
}

/** All write to their end while somebody reads: what is read is one moment, in which no request is half there. */
export async function writeAtOnce(world: World, device: Device, given: Writers): Promise<void> {
  const work = writing(world, given);
  const others = device.records.rows().slice();
  const path = `${localPath(device)}/records`;
  const [, between] = await timed(() =>
    Promise.all([
      write(
        world,
        device,
        work,
        () => undefined,
        () => false,
      ),
      readMeanwhile(world, path, work, others),
    ]),
  );
  device.seen.set(between);
  for (const { requests } of work.all) device.records.add(requests.flatMap(({ rows }) => rows));
}

async function readMeanwhile(world: World, path: string, work: Writing, others: readonly Row[]) {
  const before = work.all.map(({ acknowledged }) => acknowledged);
  const { text } = await world.client.ask('GET', path);
  const rows = rowsOfLines(text);
  const ofWriters = ({ time }: Row) => time >= work.span.start && time <= work.span.end;
  const rest = ndjsonText(
    rows.filter((row) => !ofWriters(row)),
    null,
  );
  same(rest, ndjsonText(others, null), 'records of before in an export while others write');
  checkWhole(work, rows.filter(ofWriters), before);
}

/** Requests are there whole or not at all, those of a writer in their order, at least so many of each. */
function checkWhole({ all }: Writing, rows: readonly Row[], atLeast: readonly number[]): number[] {
  const times = new Set(rows.map(({ time }) => time));
  const there = all.map(({ requests }, writer) => {
    const counts = requests.map((request) => request.rows.filter(({ time }) => times.has(time)).length);
    const whole = requests.findIndex((request, i) => counts[i] !== request.rows.length);
    const length = whole === -1 ? requests.length : whole;
    const beyond = counts.slice(length).filter((count) => count > 0);
    deepStrictEqual(
      beyond,
      [],
      `writer ${writer}: ${length} requests are whole, then some records of later ones`,
    );
    ok(
      length >= atLeast[writer]!,
      `writer ${writer}: ${atLeast[writer]} requests acknowledged, ${length} there`,
    );
    return length;
  });
  const expected = all.flatMap(({ requests }, i) =>
    requests.slice(0, there[i]).flatMap((request) => request.rows),
  );
  const sorted = expected.toSorted((a, b) => a.time - b.time);
  same(ndjsonText(rows, null), ndjsonText(sorted, null), 'records of the writers');
  return there;
}

/** Kills the service when so many requests were acknowledged, starts it again and expects those, and no half one. */
export async function killWriters(
  world: World,
  device: Device,
  given: Writers,
  acknowledged: number,
): Promise<void> {
  const work = writing(world, given);
  const { host } = world.client;
  const enough = Promise.withResolvers<void>();
  let left = acknowledged;
  let killed = false;
  if (left === 0) enough.resolve();
  const told = () => {
    if (--left === 0) enough.resolve();
  };
  const [, between] = await timed(async () => {
    const written = write(world, device, work, told, () => killed);
    await Promise.race([enough.promise, written]);
    killed = true;
    world.client.remark('SIGKILL while those are under way, and started again');
    await host.kill();
    await written;
  });
  await host.startAgain();
  const { start, end } = rangeOf(work.span.start, work.span.end);
  const { text } = await world.client.ask('GET', `${localPath(device)}/records?start=${start}&end=${end}`);
  const there = checkWhole(
    work,
    rowsOfLines(text),
    work.all.map((writer) => writer.acknowledged),
  );
  device.records.add(
    work.all.flatMap(({ requests }, i) => requests.slice(0, there[i]).flatMap(({ rows }) => rows)),
  );
  if (work.all.some((writer) => writer.acknowledged > 0)) device.seen.set(between);
  else if (there.some((count) => count > 0)) device.seen.mayBe(between);
}
