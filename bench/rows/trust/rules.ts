import type { RulesMeasured, RulesMessage } from '../../children/rules.ts';
import { sampleOf } from '../../lib/measure.ts';
import { askOnce } from '../../lib/process.ts';
import { atMost, short, timesLess, type Figure, type Row } from '../../lib/row.ts';

const ROUNDS = 5;

export const rules: Row = {
  name: 'rules',
  title: 'Rules',
  async run(bench): Promise<Figure[]> {
    const { records } = bench;
    const { data, device } = await bench.copyOfFilled(records);
    const asked: RulesMessage = { directory: data, device, records, rounds: ROUNDS };
    const ours = await askOnce<RulesMeasured>('rules', asked);
    const [first, processor, naive] = [ours.first, ours.processor, ours.naive].map(sampleOf);
    return [
      {
        figure: `a rule of one condition judged over ${short(records)} records, by a store just opened`,
        measured: first!,
        unit: 'ms',
        must: atMost(first!.median, 1000, '≤ 1 s'),
        peer: { name: 'each reading by itself, in memory by then', measured: naive! },
        ratio: timesLess(first!, naive!),
      },
      { figure: 'the processor time of it', measured: processor!, unit: 'ms' },
      { figure: 'the same rule, live, behind one new record', measured: sampleOf(ours.look), unit: 'µs' },
    ];
  },
};
