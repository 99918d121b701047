import { Text } from '@mantine/core';
import { memo, useMemo, type FunctionComponent } from 'react';
import { isWidgetType, needsSources, textOfLayout, type WidgetType } from '#shared/domain/dashboard.ts';
import { Problem } from '../../../components/work/problem.tsx';
import type { LiveSource } from '../../../stores/dashboard/live-groups.ts';
import { AlarmsWidget } from './alarms-widget.tsx';
import { ChartWidget } from './chart-widget.tsx';
import { StateWidget } from './state-widget.tsx';
import { TableWidget } from './table-widget.tsx';
import { useSpan } from './use-span.ts';
import { ValueWidget } from './value-widget.tsx';
import { WidgetGuard } from './widget-guard.tsx';
import type { WidgetViewProps } from './widget-view.ts';
import classes from './widget.module.css';

const VIEWS: Readonly<Record<WidgetType, FunctionComponent<WidgetViewProps>>> = {
  chart: ChartWidget,
  value: ValueWidget,
  state: StateWidget,
  table: TableWidget,
  alarms: AlarmsWidget,
  text: TextWidget,
};

type WidgetBodyProps = Omit<WidgetViewProps, 'sources'>;

/** What a widget shows, or why it shows nothing. */
export const WidgetBody = memo(function WidgetBody({ span: ofDashboard, onLook, ...props }: WidgetBodyProps) {
  const { widget } = props;
  const { type } = widget;
  const { span, isOwn, problem } = useSpan(widget, ofDashboard);
  const sources = useSources(widget.sources);
  if (!isWidgetType(type))
    return (
      <Text size="sm" c="dimmed">
        This version of Fieldbench has no widget of the type “{type}”. It is kept as it is.
      </Text>
    );
  if (problem !== null) return <Problem message={`This widget is not drawn: ${problem}.`} />;
  if (needsSources(type) && sources.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No device is left in this widget, or none was chosen yet.
      </Text>
    );
  const View = VIEWS[type];
  return (
    <WidgetGuard key={`${type} ${JSON.stringify(sources)}`}>
      <View {...props} sources={sources} span={span} onLook={isOwn ? null : onLook} />
    </WidgetGuard>
  );
});

/** The sources, each once; the same list for as long as they are the same. */
function useSources(given: readonly LiveSource[]): readonly LiveSource[] {
  const text = JSON.stringify(given);
  return useMemo(() => {
    const each = new Map(
      (JSON.parse(text) as readonly LiveSource[]).map((one) => [`${one.device_id} ${one.key}`, one]),
    );
    return [...each.values()];
  }, [text]);
}

function TextWidget({ widget }: WidgetViewProps) {
  return (
    <div className={classes['text']} dir="auto">
      {textOfLayout(widget.layout)}
    </div>
  );
}
