import { parseArgs } from 'node:util';
import { freshSeed } from '../../helpers/chance.ts';
import { huntCorrections } from './hunt-corrections.ts';

/* npm run corrections -- --cases 10000 --seed 1 */

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(freshSeed()) },
  },
});
const [seed, cases] = [Number(values.seed), Number(values.cases)];
console.log(`${cases} cases, seed ${seed}`);
console.log(await huntCorrections(seed, cases));
