/** A place that has buttons of its own for the chart inside it, such as a widget of a dashboard: the chart then brings none. */
import { createContext, type Ref } from 'react';

export type FigureFormat = 'png' | 'svg' | 'csv';

/** What the frame's buttons can ask of the chart that is drawn. */
export interface FigureActions {
  /** The same list for as long as it has the same entries: each other one draws the buttons anew. */
  readonly formats: readonly FigureFormat[];
  readonly save: (format: FigureFormat) => void;
}

export interface Frame {
  readonly asTable: boolean;
  /** No room for notes: the chart is a small one that leads to the large one. */
  readonly quiet?: true;
  readonly ref: Ref<FigureActions>;
}

export const FigureFrame = createContext<Frame | null>(null);
