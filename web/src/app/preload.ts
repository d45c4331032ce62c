// The pages the start page fetches ahead.
import { setPreload } from '@/features/start/preload';

export function startPreload(): void {
  setPreload([() => import('./shell/shell'), () => import('@/features/home/page')]);
}
