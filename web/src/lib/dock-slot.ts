// Where a page has room for the floating widget among its own controls; elsewhere it stands at the edge of the window.
import { createStore } from './store';

export const dockSlot = createStore<HTMLElement | null>(null);

/** For the `ref` of the element that holds it. */
export const holdDock = (place: HTMLElement | null): void => dockSlot.set(place);
