import type { Logger } from '../../base/logger.ts';
import type { Context } from '../context.ts';
import type { Performers } from './outbox.ts';
import type { MakeWatch } from './pairs.ts';

export interface RulesParts {
  readonly makeWatch: MakeWatch;
  readonly performers: Performers;
  readonly log: Logger;
}

export interface RulesContext extends Pick<
  Context,
  'metadata' | 'records' | 'events' | 'clock' | 'rigClock' | 'work' | 'ruleProblems'
> {
  readonly chance: Pick<Context['chance'], 'of'>;
}
