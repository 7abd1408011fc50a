import { speakLanguageOfPage } from '../terminal/words/language-of-page.js';
import { Workspace } from './workspace.js';

await speakLanguageOfPage();

const [tabs, area, status] = ['tabs', 'panes-area', 'workspace-words'].map((id) => document.getElementById(id));
if (tabs && area && status) void new Workspace({ tabs, area, status }).begin();
