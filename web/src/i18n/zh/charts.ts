// 图表文本，随首个含图表的页面加载。
import type { BundleTexts } from '../texts';
import { gallery } from './gallery';
import { viz } from './viz';

const texts: BundleTexts<'charts'> = { gallery, viz };

export default texts;
