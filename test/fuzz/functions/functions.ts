import { parseArgs } from 'node:util';
import { freshSeed } from '../../helpers/chance.ts';
import { huntFunctions, type Found } from './hunt-functions.ts';
import { writeScript } from './write-script.ts';

/* npm run functions -- --scripts 10000 --seed 1; --show SEED writes one script and its inputs. */

const { values } = parseArgs({
  options: {
    scripts: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(freshSeed()) },
    show: { type: 'string' },
  },
});

const say = ({ failures, ...found }: Found) =>
  console.log(JSON.stringify({ ...found, failures: [...failures] }));

if (values.show !== undefined) {
  const { way, script, inputs } = writeScript(Number(values.show));
  console.log(`${script}\n// ${way}, called with\n${inputs.map((input) => `// ${input}`).join('\n')}`);
} else {
  const [seed, scripts] = [Number(values.seed), Number(values.scripts)];
  console.log(`${scripts} scripts, seed ${seed}`);
  say(await huntFunctions(seed, scripts, say));
}
