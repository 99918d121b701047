import type { CompactionLimits } from './upkeep/background-compaction.ts';
import type { RoundLimits } from './upkeep/garbage-rounds.ts';

export interface RecordLimits extends CompactionLimits, RoundLimits {
  /** Soft limit: bytes of cached blocks. */
  readonly blockBytes: number;
  /** Soft limit: bytes of cached devices. */
  readonly knownBytes: number;
}

export const DEFAULT_LIMITS: RecordLimits = {
  tailRows: 512,
  segmentRows: 4 << 20,
  blockBytes: 32 << 20,
  knownBytes: 32 << 20,
  goneSeconds: 600,
  silentSeconds: 90,
  cleanUpMs: 30_000,
};
