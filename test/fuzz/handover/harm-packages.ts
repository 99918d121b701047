import { parseArgs } from 'node:util';
import { freshSeed } from '../../helpers/chance.ts';
import { huntHarms } from './hunt-harms.ts';

/* npm run harms -- --harms 10000 --seed 1 */

const { values } = parseArgs({
  options: {
    harms: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(freshSeed()) },
  },
});
const [seed, harms] = [Number(values.seed), Number(values.harms)];
console.log(`${harms} harms, seed ${seed}`);
console.log(await huntHarms(seed, harms));
