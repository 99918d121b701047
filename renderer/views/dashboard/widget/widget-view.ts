import type { Widget } from '#shared/schema/schemas.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import type { LiveSource } from '../../../stores/dashboard/live-groups.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import type { Zone } from '../../../time.ts';
import type { Span } from '../dashboard-address.ts';

/** What each type of widget is drawn from; all of it the same for as long as it says the same. */
export interface WidgetViewProps {
  readonly project_id: string;
  readonly widget: Widget;
  readonly sources: readonly LiveSource[];
  readonly span: Span;
  readonly zone: Zone;
  readonly settingsOf: SettingsOf;
  /** Looks at a part of the dashboard's span, or all of it; null for a widget with a span of its own. */
  readonly onLook: ((window: TimeSpan | null) => void) | null;
}
