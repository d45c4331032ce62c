// 图表文本，随首个含图表的页面加载。
import type { ChartTexts } from '../texts';
import { gallery } from './gallery';
import { viz } from './viz';

const texts: ChartTexts = { gallery, viz };

export default texts;
