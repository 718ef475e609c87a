/**
 * The page's style and its icon. Colours are those of Okabe and Ito, which people with any colour vision tell apart, darkened or
 * lightened until they stand out from the ground; what they say is also said by a sign, a word or a pattern.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f6f3; --surface: #ffffff; --ink: #1c1f24; --muted: #5a616c; --line: #dfdfd9; --link: #0a5a9c;
  --sent: #0072b2; --failed: #c2410c; --attention: #8a5a00; --attention-ground: #fdf3dc; --running: #00735a; --still: #6b7280;
  --person: #e9f1f8; --agent: #ffffff; --code: #f0f0ec;
  --phase-waiting: #b8bcc4; --phase-agent: #009e73; --phase-sending: #56b4e9; --phase-person: #e69f00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #111418; --surface: #191d23; --ink: #e6e8eb; --muted: #a0a8b4; --line: #2c323b; --link: #7cc0f5;
    --sent: #56b4e9; --failed: #f0865a; --attention: #f0b840; --attention-ground: #2b2415; --running: #3fc79f; --still: #98a1ae;
    --person: #1d2b38; --agent: #191d23; --code: #232932;
    --phase-waiting: #5b6472; --phase-agent: #25b48a; --phase-sending: #56b4e9; --phase-person: #e6a93a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--ground); color: var(--ink); line-height: 1.55; font-size: 1rem;
  font-family: system-ui, -apple-system, "Segoe UI", "Apple SD Gothic Neo", "Noto Sans KR", "Noto Sans CJK KR", "Malgun Gothic", sans-serif;
  overflow-wrap: anywhere;
}
:lang(ko) { word-break: keep-all; }
a { color: var(--link); text-underline-offset: .15em; }
a:not(:hover) { text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; font-weight: 650; letter-spacing: -.01em; }
h2 { font-size: 1.05rem; line-height: 1.3; margin: 0 0 .75rem; font-weight: 650; }
p { margin: 0 0 .6rem; }
code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "D2Coding", "Noto Sans Mono CJK KR", "Noto Sans Mono", monospace; font-size: .88em; }
code { background: var(--code); padding: .1em .35em; border-radius: 4px; }
pre { background: var(--code); padding: .7rem .85rem; border-radius: 6px; overflow-x: auto; overflow-wrap: normal; word-break: normal; margin: .5rem 0; line-height: 1.45; }
pre code { background: none; padding: 0; }
.muted, time { color: var(--muted); font-weight: 400; }
.small { font-size: .85rem; }
.unseen, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: absolute; top: .5rem; left: .5rem; padding: .5rem .8rem; background: var(--surface); z-index: 2; }
.top, main, footer { max-width: 58rem; margin: 0 auto; padding: 0 1.25rem; }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem; padding-top: 1rem; padding-bottom: 1rem; }
.brand { display: inline-flex; align-items: center; gap: .5rem; font-weight: 700; color: var(--ink); text-decoration: none; }
.logo { width: 1.5rem; height: 1.5rem; fill: none; stroke: var(--sent); stroke-width: 3.4; stroke-linecap: round; }
nav a { color: var(--muted); text-decoration: none; padding: .4rem 0; margin-right: 1.1rem; display: inline-block; border-bottom: 2px solid transparent; }
nav a:hover { color: var(--ink); }
nav a[aria-current] { color: var(--ink); border-color: var(--sent); font-weight: 600; }
.processes { display: flex; flex-wrap: wrap; gap: .2rem .9rem; font-size: .85rem; color: var(--muted); margin-left: auto; }
.dot { display: inline-block; width: .55em; height: .55em; border-radius: 50%; margin-right: .4em; background: var(--still); vertical-align: .08em; }
.up .dot, .live .dot { background: var(--running); }
.down .dot { background: none; border: 2px solid var(--failed); }
.lost .dot { background: none; border: 2px solid var(--attention); }
.process.down { color: var(--failed); }
.line.lost { color: var(--attention); }
.line:not(.live):not(.lost) { visibility: hidden; }
main { padding-top: .8rem; padding-bottom: 2rem; }
main > section { margin: 0 0 2rem; }
main > section[hidden], .progress[hidden] { display: none; }
footer { color: var(--muted); font-size: .85rem; padding-top: 1rem; padding-bottom: 2rem; border-top: 1px solid var(--line); }
.progress p { margin: 0; font-size: .9rem; color: var(--muted); }
progress { width: 100%; height: .5rem; accent-color: var(--sent); }
.quiet { color: var(--muted); background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.1rem; margin: 0; }
.count { display: inline-block; min-width: 1.6em; padding: 0 .45em; border-radius: 1em; text-align: center; background: var(--line); font-size: .8rem; font-weight: 600; }
.troubles { margin: 0; padding: .8rem 1rem .8rem 2rem; background: var(--attention-ground); border-left: 4px solid var(--attention); border-radius: 6px; }
.state { font-size: .85rem; font-weight: 600; white-space: nowrap; color: var(--still); }
.state.sent { color: var(--sent); } .state.failed, .state.rejected { color: var(--failed); }
.state.submitted, .state.sending { color: var(--running); } .state.attention, .state.unreadable { color: var(--attention); }
h1 .state { font-size: 1rem; margin-left: .4rem; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: .9rem 1.1rem; margin: 0 0 .8rem; }
.card.needy { border-left: 4px solid var(--attention); }
.card.running { border-left: 4px solid var(--running); }
.card > :last-child { margin-bottom: 0; }
.card-head { display: flex; flex-wrap: wrap; gap: .1rem .7rem; align-items: baseline; font-size: .9rem; margin-bottom: .3rem; }
.card-text { font-weight: 550; display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden; }
.card-text a, .row-text { color: var(--ink); text-decoration: none; }
.card-text a:hover, .row-text:hover { text-decoration: underline; }
.why { white-space: pre-line; }
.activity { color: var(--running); font-size: .92rem; }
.commands { list-style: none; margin: 0; padding: 0; }
.commands li { display: flex; flex-wrap: wrap; gap: .1rem .8rem; padding: .15rem 0; align-items: baseline; }
.commands span { color: var(--muted); font-size: .9rem; }
.fault { color: var(--failed); white-space: pre-wrap; font-size: .92rem; }
.rows { list-style: none; margin: 0 0 .8rem; padding: 0; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; }
.row { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr) auto; gap: .2rem 1rem; padding: .65rem 1.1rem; align-items: baseline; }
.row + .row { border-top: 1px solid var(--line); }
.row .state { white-space: normal; }
.row-text { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.row-about { display: flex; gap: .7rem; font-size: .85rem; color: var(--muted); white-space: nowrap; font-variant-numeric: tabular-nums; }
.row-about a { color: var(--muted); }
.tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1rem; margin: 0 0 1.5rem; }
.tiles div { display: flex; flex-direction: column-reverse; justify-content: flex-end; }
.tiles dd { margin: 0; font-size: 1.5rem; font-weight: 650; letter-spacing: -.01em; line-height: 1.3; font-variant-numeric: tabular-nums; white-space: nowrap; }
.tiles dt { color: var(--muted); font-size: .85rem; line-height: 1.35; }
.figures { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 1.1rem 1.2rem; }
.plot { margin: 0; }
.plot figcaption h2 { margin-bottom: .1rem; }
.plot figcaption p { font-size: .9rem; margin-bottom: .5rem; }
.drawing { width: 100%; display: block; overflow: visible; }
.tick { fill: var(--muted); font-size: 12px; paint-order: stroke; stroke: var(--surface); stroke-width: 4px; stroke-linejoin: round; }
#time-line .tick { stroke: var(--ground); }
.grid { stroke: var(--line); } .axis { stroke: var(--muted); }
.bar-sent { fill: var(--sent); } .bar-failed { fill: var(--failed); } .bar-open { fill: var(--surface); stroke: var(--attention); stroke-width: 1.5px; }
.hover { fill: transparent; } .hover:hover { fill: var(--ink); fill-opacity: .07; }
.reach { stroke: var(--sent); stroke-width: 2px; stroke-opacity: .55; } .dot-median { fill: var(--sent); }
.phase-waiting { fill: var(--phase-waiting); } .phase-agent { fill: var(--phase-agent); }
.phase-sending { fill: var(--phase-sending); } .phase-person { fill: var(--phase-person); }
.open { stroke: var(--ink); stroke-dasharray: 3 3; stroke-width: 1.5px; }
.step { fill: var(--muted); } .part-sent { fill: var(--sent); } .part-failed { fill: var(--failed); }
.part-waiting, .part-sending { fill: var(--surface); stroke: var(--attention); stroke-width: 2px; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: .3rem 0 .5rem; padding: 0; list-style: none; font-size: .88rem; color: var(--muted); }
.legend b { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums; }
.swatch { width: .8em; height: .8em; margin-right: .4em; overflow: visible; vertical-align: -.05em; }
.classes { list-style: none; margin: .6rem 0 0; padding: 0; }
.classes li { display: grid; grid-template-columns: 8.5rem minmax(0, 1fr) 4rem; gap: .8rem; align-items: center; padding: .14rem 0; font-size: .9rem; }
.class-name { text-align: right; color: var(--muted); } .class-bar { width: 100%; display: block; } .class-count { font-variant-numeric: tabular-nums; }
details { margin-top: .8rem; } summary { cursor: pointer; color: var(--muted); font-size: .9rem; padding: .2rem 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88rem; margin: .4rem 0; min-width: 18rem; }
th, td { text-align: left; font-weight: 400; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; font-variant-numeric: tabular-nums; }
thead th { color: var(--muted); }
.raw { max-height: 30rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.search { display: flex; flex-wrap: wrap; gap: .8rem; align-items: end; margin-bottom: 1rem; }
.field { display: grid; gap: .15rem; font-size: .85rem; color: var(--muted); }
.field:first-child { flex: 1 1 16rem; }
input, select, button { font: inherit; color: var(--ink); background: var(--surface); border: 1px solid var(--muted); border-radius: 7px; padding: .45rem .7rem; min-height: 2.6rem; width: 100%; }
button { width: auto; background: var(--ink); color: var(--ground); border-color: var(--ink); font-weight: 600; padding: .45rem 1.2rem; cursor: pointer; }
.pager { display: flex; justify-content: space-between; gap: 1rem; align-items: baseline; color: var(--muted); }
.pager a, .pager .off { margin: 0; padding: .5rem 0; } .pager a { color: var(--link); } .pager .off { opacity: .5; }
.thread { display: grid; gap: 1.8rem; margin-bottom: 1.5rem; }
.turn { display: grid; gap: .6rem; min-width: 0; }
.turn:target .bubble.person { outline: 2px solid var(--link); outline-offset: 2px; }
.bubble { border-radius: 14px; padding: .75rem 1.05rem; max-width: 44rem; min-width: 0; }
.bubble > :last-child { margin-bottom: 0; }
.bubble.person { background: var(--person); justify-self: end; border-bottom-right-radius: 4px; }
.bubble.agent { background: var(--agent); border: 1px solid var(--line); justify-self: start; border-bottom-left-radius: 4px; width: 100%; }
.who { font-size: .82rem; color: var(--muted); margin-bottom: .2rem; } .who bdi { font-weight: 600; }
.text { white-space: pre-wrap; margin: 0 0 .6rem; min-width: 0; }
.text blockquote, .bubble > blockquote { border-left: 3px solid var(--line); margin: .3rem 0; padding: 0 0 0 .8rem; color: var(--muted); white-space: pre-wrap; }
.bubble.person > blockquote { border-color: var(--link); }
.turn-about { display: flex; flex-wrap: wrap; gap: .1rem .9rem; font-size: .85rem; color: var(--muted); align-items: baseline; margin: 0; padding-left: .3rem; }
.turn-about a { color: var(--muted); }
.gallery { display: flex; flex-wrap: wrap; gap: .5rem; margin: .3rem 0 .6rem; }
.gallery:not(.single) figure { flex: 0 1 10rem; min-width: 7.5rem; }
.gallery figure { margin: 0; } .gallery img { width: 100%; aspect-ratio: 4 / 3; object-fit: cover; border-radius: 8px; display: block; background: var(--code); }
.gallery.single { display: block; } .gallery.single img { width: auto; max-width: 100%; max-height: 24rem; aspect-ratio: auto; object-fit: contain; }
.gallery figcaption { font-size: .85rem; color: var(--muted); }
.files { margin: .2rem 0 .6rem; padding-left: 1.2rem; font-size: .92rem; }
.note { border-left: 3px solid var(--attention); padding-left: .8rem; color: var(--ink); font-size: .93rem; margin-top: .6rem; }
.history { list-style: none; margin: .8rem 0 0; padding: 0; font-size: .92rem; font-variant-numeric: tabular-nums; }
.history li { padding: .12rem 0; } .after { color: var(--muted); margin-left: .4rem; }
.facts { margin: 0; } .facts div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: .8rem; padding: .15rem 0; }
.facts dt { color: var(--muted); } .facts dd { margin: 0; }
#asked { max-width: 44rem; } #asked.bubble { border-radius: 14px; }
@media (max-width: 40rem) {
  .top, main, footer { padding-left: 1rem; padding-right: 1rem; }
  .top { gap: .4rem 1rem; padding-bottom: .8rem; }
  .top nav { order: 3; width: 100%; }
  nav a { margin-right: 1.3rem; }
  .row { grid-template-columns: minmax(0, 1fr) auto; padding: .7rem .9rem; }
  .row-text { grid-column: 1 / -1; grid-row: 1; }
  .tiles { grid-template-columns: 1fr 1fr; }
  .figures { padding: 1rem .9rem; }
  .classes li { grid-template-columns: 6rem minmax(0, 1fr) 3rem; gap: .6rem; }
  .facts div { grid-template-columns: 1fr; gap: 0; padding: .25rem 0; }
  .bubble { padding: .65rem .85rem; }
  .bubble.person { margin-left: 1rem; }
  .gallery:not(.single) figure { flex-basis: calc(50% - .25rem); }
}
@media (prefers-reduced-motion: no-preference) { .running .state span { animation: breathe 2s ease-in-out infinite; } }
@keyframes breathe { 50% { opacity: .35; } }
@media print { .processes, nav, .search, .pager, footer { display: none; } }
`;

export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#0072b2" stroke-width="3.4" stroke-linecap="round"><path d="M3 24V15a13 13 0 0 1 26 0v9M11 24v-7a5 5 0 0 1 10 0v7"/></svg>\n';
