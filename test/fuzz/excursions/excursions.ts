import { parseArgs } from 'node:util';
import { freshSeed } from '../../helpers/chance.ts';
import { huntExcursions } from './hunt-excursions.ts';

/* npm run excursions -- --recordings 10000 --seed 1 */

const { values } = parseArgs({
  options: {
    recordings: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(freshSeed()) },
  },
});
const [seed, recordings] = [Number(values.seed), Number(values.recordings)];
console.log(`${recordings} recordings, seed ${seed}`);
console.log(await huntExcursions(seed, recordings));
