import { judge, type Verdict } from './judge.ts';
import { recipeOf, type Recipe } from './recipe.ts';
import { writeFile } from './write-file.ts';

export interface FilesRun {
  readonly counts: Readonly<Record<Verdict['kind'], number>>;
  readonly silent: readonly {
    readonly seed: number;
    readonly what: string;
    readonly recipe: Recipe;
    readonly head: string;
  }[];
  /** Files of each kind of verdict, by way of writing times and form, with an example. */
  readonly others: ReadonlyMap<string, { count: number; readonly what: string; readonly seed: number }>;
}

/** Makes `files` files, from `seed` on, and judges what is read of each. */
export async function runFiles(seed: number, files: number): Promise<FilesRun> {
  const counts = { right: 0, texts: 0, refused: 0, said: 0, silent: 0 };
  const silent: FilesRun['silent'][number][] = [];
  const others = new Map<string, { count: number; readonly what: string; readonly seed: number }>();
  for (let own = seed; own < seed + files; own++) {
    const recipe = recipeOf(own);
    const file = writeFile(recipe, own);
    const { kind, what } = await judge(file);
    counts[kind]++;
    if (kind === 'silent')
      silent.push({ seed: own, what, recipe, head: file.bytes.subarray(0, 400).toString('latin1') });
    else if (kind !== 'right') {
      const group = `${kind}: ${what
        .replaceAll(/"[^"]*"/g, '"…"')
        .replaceAll(/\d+/g, '0')
        .slice(0, 120)}`;
      const before = others.get(group);
      if (before) before.count++;
      else others.set(group, { count: 1, what: `${recipe.way}, ${recipe.form}: ${what}`, seed: own });
    }
  }
  return { counts, silent, others };
}
