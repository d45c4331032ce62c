// Texts of charts, loaded with the first page that shows some.
import { gallery } from './gallery';
import { viz } from './viz';

const texts = { gallery, viz };

export default texts;
