import { ok, strictEqual } from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { deviceGone, isImport, rangeQuery, spanOf, startBulk } from './acts.ts';
import type { Answer } from './client.ts';
import { dataOf } from './client.ts';
import type { StepOf } from './script.ts';
import { documentPath, localPath, timed, type Between, type Device, type World } from './world.ts';

/* Ends of the process. What was acknowledged is there afterwards; what was not is there whole or not at all. */

export async function restart(world: World): Promise<void> {
  world.client.remark('SIGTERM, and started again');
  await world.client.host.restart();
}

export async function kill(world: World): Promise<void> {
  world.client.remark('SIGKILL, and started again');
  await world.client.host.kill();
  await world.client.host.startAgain();
}

interface Cut {
  readonly answer: Promise<Answer>;
  /** Records that there are once it is done. */
  readonly after: number;
  /** Does the same to the model. */
  apply(between: Between): void | Promise<void>;
}

/** Kills the service so many ms into something, starts it again and finds out whether it was done. */
export async function killDuring(
  world: World,
  device: Device,
  { act, ms }: StepOf<'kill during'>,
): Promise<void> {
  const { client } = world;
  const before = device.records.rows().length;
  const [{ cut, answer }, between] = await timed(async () => {
    const started = startCut(world, device, act);
    const answered = started.answer.catch(() => null);
    await Promise.race([answered, delay(ms)]);
    client.remark('SIGKILL while that is under way, and started again');
    await client.host.kill();
    return { cut: started, answer: await answered };
  });
  await client.host.startAgain();
  if (answer !== null && answer.status === 400 && act.do === 'remove' && spanOf(act.range) === null) return;
  if (answer !== null) dataOf(answer);
  const acknowledged = answer !== null;
  const status = (await client.ask('GET', documentPath(device))).status;
  if (act.do === 'delete device') {
    ok(
      status === 404 || (status === 200 && !acknowledged),
      `${status} after the delete of a device was cut off`,
    );
    return status === 404 ? deviceGone(world, device) : undefined;
  }
  const page = await client.ask('GET', `${documentPath(device)}/data?page=1&limit=1&range=all`);
  const count = Number(page.headers.get('x-total-count'));
  if (count === cut.after && (acknowledged || cut.after !== before)) return cut.apply(between);
  strictEqual(
    count,
    acknowledged ? cut.after : before,
    `records after "${act.do}" was cut off; ${before} before`,
  );
  // Nothing to remove: whether it was done can only be seen by its time.
  if (act.do === 'purge') device.purged.mayBe(between);
}

function startCut(world: World, device: Device, act: StepOf<'kill during'>['act']): Cut {
  const { client } = world;
  const { records } = device;
  switch (act.do) {
    case 'bulk': {
      const { rows, answer } = startBulk(world, device, act);
      return {
        answer,
        after: records.rows().length + rows.length,
        apply(between) {
          records.add(rows);
          if (!isImport(act)) device.seen.set(between);
        },
      };
    }
    case 'remove': {
      const span = spanOf(act.range);
      const gone = span === null ? 0 : records.rows(span).length;
      return {
        answer: client.ask('DELETE', `${localPath(device)}/records?${rangeQuery(act.range)}`),
        after: records.rows().length - gone,
        apply: () => void (span && records.remove(span)),
      };
    }
    case 'purge':
      return {
        answer: client.ask('DELETE', `${documentPath(device)}/data`),
        after: 0,
        apply(between) {
          records.remove(null);
          device.purged.set(between);
        },
      };
    case 'delete device':
      return { answer: client.ask('DELETE', documentPath(device)), after: 0, apply: () => undefined };
  }
}
