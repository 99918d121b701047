import type { Chances } from '../../base/chance.ts';
import type { Source } from '#shared/domain/sources.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { Sender } from '../../store/metadata/sender.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Reading } from '../readings.ts';
import { noAnswer, type Door, type DoorAnswer, type DoorPlaces } from '../../remote/device-door/door.ts';
import { openDoor, unanswered } from '../../remote/device-door/open-door.ts';
import { DeviceGone, type Outcome, type Way } from './way.ts';

/** Records of one message where they are sent as fast as they are taken; else each is a message of its own. */
const MOST = 100;

const UNREADABLE = noAnswer(
  'The token of this device can no longer be read, so nothing can be sent with it: renew it.',
);

/** Through a door as the device sends: with its token, over the network stack. */
export function doorWay(
  source: Source,
  isMax: boolean,
  {
    places,
    vault,
    chance,
    sender,
  }: {
    readonly places: () => DoorPlaces;
    readonly vault: Pick<Vault, 'get'>;
    readonly chance: Pick<Chances, 'of'>;
    readonly sender: () => Promise<Sender | null>;
  },
): Way {
  let door: Door | null = null;

  async function answerTo(payload: string): Promise<DoorAnswer> {
    const from = await sender();
    if (from === null) throw new DeviceGone();
    const { id, project_id } = from.device;
    if (door === null) {
      const token = await vault.get({ kind: 'device-token', project_id, device_id: id });
      if (token === null) return UNREADABLE;
      door = openDoor(source, { id, token, client: `fieldbench-simulator-${chance.of(id).uuid()}` }, places);
    }
    return door.send({ bytes: payload, type: 'application/json' });
  }

  /** The next one signs in anew, with the token of that time. */
  function leave(): void {
    door?.close();
    door = null;
  }

  return {
    most: isMax ? MOST : 1,
    async send(readings): Promise<Outcome> {
      const [first] = readings;
      const payload =
        first !== undefined && readings.length === 1 ? jsonOf(first) : `[${readings.map(jsonOf).join()}]`;
      let answer: DoorAnswer;
      try {
        answer = await answerTo(payload);
      } catch (error) {
        if (error instanceof DeviceGone) throw error;
        answer = unanswered(error);
      }
      if (answer.accepted) return { stored: readings.length, refused: 0, problem: null };
      leave();
      if ((await sender()) === null) throw new DeviceGone();
      return { stored: 0, refused: readings.length, problem: answer.message };
    },
    close: leave,
  };
}

/** By hand, as keys such as "__proto__" are ordinary. */
function jsonOf({ timestamp, keys, values }: Reading): string {
  const fields = keys.map((key, i) => `${JSON.stringify(key)}:${JSON.stringify(values[i])}`);
  return `{"timestamp":"${formatMicros(timestamp)}"${fields.map((field) => `,${field}`).join('')}}`;
}
