import { parseArgs } from 'node:util';
import { freshSeed } from '../../helpers/chance.ts';
import { huntRules, type Hunted } from './hunt-rules.ts';
import { overLog } from './stages.ts';

/* npm run rules -- --streams 10000 --seed 1: half of them over the model of a store, half over the append log. */

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(freshSeed()) },
  },
});
const [seed, streams] = [Number(values.seed), Number(values.streams)];
console.log(`${streams} streams, seed ${seed}`);
const half = Math.ceil(streams / 2);
let next = seed;
const found: Hunted[] = [await huntRules(seed, half, null)];
found.push(
  ...(await overLog(streams - half, (stage, some) => {
    const from = next;
    next += some;
    return huntRules(from, some, stage);
  })),
);
const sum = (of: keyof Hunted) => found.reduce((all, each) => all + each[of], 0);
console.log({
  streams: sum('streams'),
  looks: sum('looks'),
  disturbed: sum('disturbed'),
  firings: sum('firings'),
});
