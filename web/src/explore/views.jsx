// views.jsx -- the table of views: what the middle of the page can show.
//
// A view has a name, a title, a test whether this model has it, and a component that gets the explorer (explorer.js).  Others add a line.
import { ChartView } from './chart.jsx';
import { GraphView } from './graph.jsx';
import { NetView } from './net.jsx';
import { TextView } from './text.jsx';
import { PictureView } from '../picture/picture.jsx';

export const views = [
  { name: 'picture', title: 'Picture', has: (model) => model.picture, View: PictureView },
  { name: 'net', title: 'Net', has: (model) => model.view === 'net', View: NetView },
  { name: 'text', title: 'Text', has: (model) => model.view === 'source', View: TextView },
  { name: 'chart', title: 'Chart', has: (model) => model.view !== 'graph', View: ChartView },
  { name: 'graph', title: 'State graph', has: () => true, View: GraphView },
];
