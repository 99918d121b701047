import type { KeychainTimes } from '../children/keychain.ts';
import { runInSession, whyNoKeyring } from '../lib/keyring-session.ts';
import { atMost, short, timesMore, type Figure, type Row } from '../lib/row.ts';

const ROUNDS = 25;
const ROUNDS_OF_SMALL = 5;

/** The system's keychain, a real gnome-keyring in a session of its own, with the tokens of many devices and with none. */
export const keychain: Row = {
  name: 'keychain',
  title: 'Device tokens in the keychain',

  async run(bench): Promise<Figure[]> {
    const reason = whyNoKeyring();
    if (reason !== null) {
      bench.note(`The keychain was not measured: ${reason}.`);
      return [];
    }
    const count = bench.isSmall ? ROUNDS_OF_SMALL : ROUNDS;
    const args = [String(bench.devices), String(count)];
    const printed = await runInSession('keychain', args, await bench.madeFolder());
    const { first, last, without, withAll, filling } = JSON.parse(printed) as KeychainTimes;
    const many = short(bench.devices);
    bench.note(`${many} device tokens kept at once in the keychain take ${filling.toFixed(0)} ms.`);
    const times = timesMore(last, first);
    return [
      {
        figure: `keychain: one more device token where there are ${many}`,
        measured: last,
        unit: 'ms',
        must: atMost(times, 1.5, '≤ 1.5×'),
        peer: { name: 'the first ones', measured: first },
        ratio: 1 / times,
      },
      {
        figure: `keychain: opening it with ${many} device tokens, and reading a key`,
        measured: withAll,
        unit: 'ms',
        must: atMost(withAll.median - without.median, 50, '≤ 50 ms above an empty one'),
        peer: { name: 'an empty one', measured: without },
      },
    ];
  },
};
