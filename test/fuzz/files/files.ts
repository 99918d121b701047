import { parseArgs } from 'node:util';
import { recipeOf } from './recipe.ts';
import { freshSeed } from '../../helpers/chance.ts';
import { runFiles } from './hunt-files.ts';
import { writeFile } from './write-file.ts';

/* npm run files -- --files 10000 --seed 1; --show SEED writes one file to the standard output. */

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(freshSeed()) },
    show: { type: 'string' },
  },
});

if (values.show !== undefined) {
  const seed = Number(values.show);
  console.error(JSON.stringify(recipeOf(seed), null, 2));
  process.stdout.write(writeFile(recipeOf(seed), seed).bytes);
} else {
  const [seed, files] = [Number(values.seed), Number(values.files)];
  console.log(`${files} files, seed ${seed}`);
  const { counts, silent, others } = await runFiles(seed, files);
  for (const [group, { count, what, seed: example }] of [...others]
    .toSorted((a, b) => b[1].count - a[1].count)
    .slice(0, 40))
    console.log(`${count} × ${group}\n    such as seed ${example}: ${what.slice(0, 300)}`);
  for (const { seed: own, what, recipe, head } of silent.slice(0, 20))
    console.log(`WRONG WITHOUT A WORD, seed ${own}: ${what}\n  ${recipe.way}, ${recipe.form}\n${head}`);
  console.log(counts, `right ${((100 * counts.right) / files).toFixed(1)} %`);
  process.exitCode = silent.length > 0 ? 1 : 0;
}
