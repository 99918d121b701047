import { describe, expect, test } from 'vitest';
import { TIMES } from '../../../helpers/files/generated-csv.ts';
import { expectSame } from './bytes-as-text.ts';

describe('a fault of CSV is the same from its bytes as from its text', () => {
  test('for rows with a fault at any place, which is told by its line', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => `${TIMES['iso']!(n)},${n / 4},ok`);
    for (const at of [1, 500, 2999])
      for (const fault of [
        'yesterday,1,ok',
        `${TIMES['iso']!(1)},1e999,ok`,
        '1,2',
        '"open',
        `${TIMES['iso']!(1)},1,"a"b`,
      ]) {
        const text = `time,a,b\n${rows.with(at, fault).join('\n')}\n`;
        const { result } = await expectSame(text);
        expect(result).toMatchObject({ error: expect.stringContaining(`line ${at + 2}: `) });
        await expectSame(text, { on_error: 'keep' });
      }
  });

  test.each(['2025-17-01', '2025-12-33', '2026-00-33', '2026-01-00'])(
    'for %s, which is no date and stands behind one that is',
    async (date) => {
      const rows = Array.from({ length: 5000 }, (_, n) => `2026-01-01 00:00:${10 + (n % 50)},1`);
      await expectSame(`time,a\n${rows.join('\n')}\n${date} 00:00:00,2\n`, { on_error: 'keep' });
    },
  );

  test('for bytes that are no UTF-8, whose line is told', async () => {
    const rows = Buffer.from(
      Array.from({ length: 9000 }, (_, n) => `${TIMES['iso']!(n)},${n},ok\n`).join(''),
    );
    const file = Buffer.concat([Buffer.from('time,a,b\n'), rows]);
    const at = file.indexOf('ok', 200_000);
    file[at] = 0xff;
    const { result } = await expectSame(file, {}, 4096);
    const line = file.subarray(0, at).toString('latin1').split('\n').length;
    expect(result).toMatchObject({
      error: expect.stringMatching(new RegExp(`line ${line}: the file must be UTF-8`)),
    });
  });
});
