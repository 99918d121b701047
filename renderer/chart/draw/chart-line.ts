/** The axis that a line is measured by: at most two of them stand beside a plot. */
export type AxisSide = 'left' | 'right';

/** A line of a chart: whose numbers it draws, what they are called, and how it looks. */
export interface ChartLine {
  /** Tells the lines of a chart apart, and stays: colour, visibility and readings hang on it. */
  readonly id: string;
  readonly device_id: string;
  readonly key: string;
  /** What people call it. */
  readonly label: string;
  /** Such as `°C`; empty where it is not known. */
  readonly unit: string;
  /** A colour and a dash of the palette (plot/palette.ts). */
  readonly look: number;
  readonly axis: AxisSide;
}
