import { readdir, readFile } from 'node:fs/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hasChance } from '../../../scripts/lib/suites/chance.mjs';
import { inProject } from '../../../scripts/lib/project.mjs';
import { freshSeed, withSeed } from '../../helpers/chance.ts';

async function filesOfTests(): Promise<readonly string[]> {
  const names = await readdir(inProject('test'), { recursive: true });
  return names.map((name) => `test/${name}`).filter((name) => /\.(ts|tsx|mts|mjs|js)$/.test(name));
}

afterEach(() => vi.unstubAllEnvs());

describe('a test with chance', () => {
  test('is known by what it or its helpers import, and one without is not held for it', () => {
    expect(hasChance('test/unit/shared/json.test.ts')).toBe(true); // fast-check itself
    expect(hasChance('test/unit/store/log/log.test.ts')).toBe(true); // a suite of test/suites/
    expect(hasChance('test/crash/append-log.test.ts')).toBe(true); // seeds, by a suite beside it
    expect(hasChance('test/contract/access/access-matrix.test.ts')).toBe(false);
    expect(hasChance('test/e2e/specs/page/service/keys.spec.ts')).toBe(false);
  });

  test('has no other source of chance: every file that draws does so by fast-check or by the common seeds', async () => {
    const mayDraw = [
      'test/helpers/chance.ts',
      'test/helpers/one-of.ts',
      'test/unit/scripts/chance.test.ts',
      // Names what the linter refuses in core.
      'test/unit/time-and-chance.test.ts',
    ];
    const drawing: string[] = [];
    for (const file of await filesOfTests()) {
      const text = await readFile(inProject(file), 'utf8');
      const draws = /Math\.random|randomInt|getRandomValues|faker/.test(text);
      const isKnown = !text.includes("'fast-check'") || hasChance(file);
      if ((draws || !isKnown) && !mayDraw.includes(file)) drawing.push(file);
    }
    expect(drawing).toEqual([]);
  });

  test('that fails names its seed and has the same one again', async () => {
    const failing = withSeed((seed) => {
      throw new Error(`${seed % 2} is odd or even`);
    });
    await expect(failing).rejects.toThrow(/^Seed (\d+), again with FIELDBENCH_SEED=\1:\n\d is odd or even$/);
    vi.stubEnv('FIELDBENCH_SEED', '77');
    expect(freshSeed()).toBe(77);
    const others = Array.from({ length: 20 }, freshSeed);
    expect(new Set(others).size).toBe(20);
    vi.stubEnv('FIELDBENCH_SEED', 'much');
    expect(freshSeed).toThrow('FIELDBENCH_SEED takes a whole number from 0 to 2147483647, got "much".');
  });
});
