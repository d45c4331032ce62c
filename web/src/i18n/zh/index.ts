// All Chinese texts, one file per area.
import { common } from './common';
import { errors } from './errors';
import { gallery } from './gallery';
import { home } from './home';
import { jobs } from './jobs';
import { queries } from './queries';
import { session } from './session';
import { shell } from './shell';
import { start } from './start';
import { viz } from './viz';
import type { Translation } from '../texts';
const texts = { common, errors, gallery, home, jobs, queries, session, shell, start, viz } satisfies Translation;

export default texts;
