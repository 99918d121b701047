import { ActionIcon, Menu } from '@mantine/core';
import { IconBellOff } from '@tabler/icons-react';
import { messageOf } from '../bridge/ask.ts';
import { sayFailed } from '../components/work/notices.ts';
import { openDialog } from '../stores/dialog.ts';
import { nowMicros } from '../time.ts';
import { silenceRule, type Silenceable } from './change-rules.ts';

const SPANS = [
  { label: 'For 15 min', span_s: 900 },
  { label: 'For 1 h', span_s: 3_600 },
  { label: 'For 8 h', span_s: 28_800 },
] as const;

/** Holds the acts of a rule back for a while: its alarms are raised all the same. */
export function SilenceMenu({
  rule,
  isSilenced,
}: {
  readonly rule: Silenceable;
  readonly isSilenced: boolean;
}) {
  const silence = (until: number | null) => {
    silenceRule(rule, until).catch((error: unknown) =>
      sayFailed(`“${rule.name}” was not silenced`, messageOf(error)),
    );
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" title="Silence" aria-label={`Silence “${rule.name}”…`}>
          <IconBellOff size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Silence: raise alarms, do nothing else</Menu.Label>
        {SPANS.map(({ label, span_s }) => (
          <Menu.Item key={label} onClick={() => silence(nowMicros() + span_s * 1e6)}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => openDialog({ kind: 'silence-rule', rule })}>Until a time…</Menu.Item>
        {isSilenced && <Menu.Item onClick={() => silence(null)}>End the silence</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
