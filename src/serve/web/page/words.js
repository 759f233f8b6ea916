// Every word of the page's own, in both languages. `{name}` is replaced; moves and numbers keep their direction in Arabic.

const ENGLISH = {
  title: "maydan: play",
  skip: "To the board",
  about: "Rules",
  otherLanguage: "العربية",
  theme: "Colours: {theme}",
  theme_auto: "as the system",
  theme_light: "light",
  theme_dark: "dark",
  close: "Close",
  cancel: "Cancel",

  white: "White",
  black: "Black",
  person: "Person",
  bot: "Bot",
  toMove_white: "White to move",
  toMove_black: "Black to move",
  yourMove: "Your move",
  series: "{who}: the series goes on",
  thinking: "{name} is thinking",
  paused: "{who}: the bot waits",
  wins_white: "White wins",
  wins_black: "Black wins",
  draw: "Draw",
  connecting: "Connecting…",
  lost: "Connection lost; trying again…",
  back: "Connected again; the game goes on.",
  unavailable: "This server no longer offers the game that was under way.",

  check: "check",
  checkmate: "checkmate",
  stalemate: "stalemate",
  no_progress: "too long without progress",
  insufficient: "not enough pieces left to mate",
  repetition: "the position was repeated",
  max_plies: "the limit of plies is reached",
  king_captured: "the {king} is captured",
  no_action: "no move is left",
  resignation: "resignation",
  agreement: "agreed draw",
  cut_off: "stopped at self-play's limit of plies",

  game: "Game",
  newGame: "New game",
  chooseBot: "Choose a game and its bot",
  fromPosition: "Start from a position",
  fromPositionHint: "Leave empty for the usual start.",
  sides: "Who plays",
  level: "Strength",
  level_glance: "at a glance",
  level_quick: "quick",
  level_light: "light",
  level_steady: "steady",
  level_careful: "careful",
  level_deep: "deep",
  level_utmost: "utmost",
  level_timed: "by time",
  seconds: "about {n} s",
  secondsFew: "under 0.1 s",
  playouts_one: "{n} playout a move",
  playouts_other: "{n} playouts a move",
  variety: "Variety in the opening",
  variety_none: "Off",
  variety_little: "A little",
  variety_more: "More",
  elo: "Elo {n}",
  rulesHash: "rules {hash}",
  takeBack: "Take back",
  redo: "Redo",
  turnBoard: "Turn board",
  stopSeries: "Stop the series",
  pause: "Stop",
  goOn: "Go on",
  plainAction: "Play {action}",

  analysis: "Analysis",
  analysisHint: "Shows what the bot thinks of the position on the board while a person is to move, or anywhere else in the game.",
  candidate: "Move",
  visits: "Playouts",
  value: "White wins, draw, Black wins",
  line: "Line",
  searched: "{n} playouts",
  proof_win: "proven win",
  proof_draw: "proven draw",
  proof_loss: "proven loss",
  proofIn: "{proof} in {n}",
  waiting: "Waiting for the bot…",

  lookBack: "Look back",
  first: "To the start",
  previous: "One move back",
  next: "One move forward",
  last: "To the game as it stands",
  pastStart: "Looking back: the start",
  past_white: "Looking back: White’s {action}",
  past_black: "Looking back: Black’s {action}",
  beside_white: "Beside the game: White’s {action}",
  beside_black: "Beside the game: Black’s {action}",
  continueHere: "Go on from here",
  present: "Back to the game",
  branch: "Take back to here",

  unfold: "Show the whole line of {action}",
  fold: "Fold the line of {action}",
  gauge: "Value",
  noValue: "No value yet",
  graph: "Value over the game",
  graphSaid: "Value over the game, known for {n} of {all} positions",
  graphHere: "White may expect {n} here",
  evaluate: "Evaluate the game",
  evaluating: "Evaluated: {done} of {all}",
  evaluateStop: "Stop evaluating",
  gameEnds: "The game ends here.",
  moveCost: "{side}’s {action}: {before} before, {after} after, for {side}",

  again: "Play again",
  review: "Review the game",
  dismiss: "Put away",

  captions: "About the zones",
  captionsClose: "Got it",
  caption_zone: "the pieces beside the board. The number says how many of a kind wait there; a kind of which none waits is pale.",
  caption_shatara_reinforcement: "drag a pawn from your zone to an empty square of your pawn rank, or click both. It takes the whole turn.",
  caption_shatara_ladder: "a piece with a small angle may climb where it stands: click it, and then the badge at its corner. It changes places with one of the zone.",
  caption_shatra_placing: "a piece at home is placed on an empty square of your half: click it and then the square. A dot marks the initial reserve.",
  caption_shatra_promotion: "a pawn on the last rank becomes one of your captured pieces, which wait in the stock.",
  "caption_omega-advanced_entry": "the fool comes in with the first move of another piece, onto the square that it leaves: the page asks.",

  moves: "Moves",
  variation: "Variation",
  forgetBeside: "Forget variations",
  noMoves: "No move yet.",
  record: "Game record",
  recordNow: "This game",
  recordLoad: "Load a game",
  recordPaste: "Paste a record here, or choose a file.",
  position: "Position",
  copy: "Copy",
  copied: "Copied",
  link: "Link",
  linkHint: "It opens the game at the position on the board, at this server.",
  copyLink: "Copy the link",
  linkWrong: "The link holds no game that can be shown.",
  linkElsewhere: "No bot here plays the game of the link by its rules.",
  save: "Save a file",
  file: "Choose a file",
  load: "Load",
  fileUnread: "The file could not be read.",
  fileLarge: "The file is too large to be a record.",

  comma: ", ",
  colon: ": ",
  board: "Board",
  pastBoard: "Board, an earlier position",
  besideBoard: "Board, a position beside the game",
  zoneOf: "{side}’s {zone}",
  zonePiece: "{piece}: {n} in the zone",
  empty: "empty",
  canMove: "can move",
  isTarget: "possible",
  isSelected: "chosen",
  mark_climber: "may climb",
  mark_reserve: "initial reserve",
  mark_jumped: "jumped",
  mark_unmoved: "has never moved",
  mark_like: "moves as a {kind}",
  mark_jumper: "jumping",
  climb: "Promote to {piece} on the spot",
  chooseAction: "Which move?",
  moveSaid: "{side}: {action}",
  selected: "{what} chosen; {n} possible squares",
  selectedClimb: "{what} chosen; {n} possible squares; plus promotes on the spot",
  piece_white: "white {kind}",
  piece_black: "black {kind}",
  keys: "On the board: arrows walk, Enter chooses, Escape lets go, + promotes on the spot, Page Up and Page Down look back and forward. Beside it the left and right arrows look back and forward.",
};

const ARABIC = {
  title: "ميدان: العب",
  skip: "إلى الرقعة",
  about: "القواعد",
  otherLanguage: "English",
  theme: "الألوان: {theme}",
  theme_auto: "كما في النظام",
  theme_light: "فاتحة",
  theme_dark: "داكنة",
  close: "إغلاق",
  cancel: "إلغاء",

  white: "الأبيض",
  black: "الأسود",
  person: "لاعب",
  bot: "الحاسوب",
  toMove_white: "الدور للأبيض",
  toMove_black: "الدور للأسود",
  yourMove: "دورك",
  series: "{who}: السلسلة مستمرّة",
  thinking: "{name} يفكّر",
  paused: "{who}: الحاسوب ينتظر",
  wins_white: "فاز الأبيض",
  wins_black: "فاز الأسود",
  draw: "تعادل",
  connecting: "جارٍ الاتصال…",
  lost: "انقطع الاتصال؛ تجري إعادة المحاولة…",
  back: "عاد الاتصال، والمباراة مستمرّة.",
  unavailable: "لم يعد هذا الخادم يقدّم اللعبة التي كانت جارية.",
  // The server's own lines are English.
  error_message: "لم يفهم الخادم الطلب.",
  error_game: "لم تبدأ مباراة بعد.",
  error_bot: "لا يوجد خصم كهذا هنا.",
  error_position: "هذا النصّ لا يصف وضعًا صحيحًا.",
  error_action: "هذه النقلة غير مسموح بها هنا.",
  error_over: "انتهت المباراة.",
  error_record: "هذا النصّ ليس سجلّ مباراة صحيحًا.",
  error_limit: "تجاوز الطلب ما يسمح به الخادم.",
  error_evaluator: "تعذّر على الحاسوب أن يفكّر.",
  error_full: "كلّ الأماكن مشغولة؛ عُد لاحقًا.",
  error_idle: "أُنهي الاتصال لأن أحدًا لم يلعب منذ وقت طويل.",
  error_closing: "الخادم يتوقّف.",

  check: "كش",
  checkmate: "كش مات",
  stalemate: "لا نقلة متاحة ولا كش",
  no_progress: "طال اللعب بلا تقدّم",
  insufficient: "القطع الباقية لا تكفي للإماتة",
  repetition: "تكرّر الوضع",
  max_plies: "بلغت المباراة حدّ النقلات",
  king_captured: "أُسر ال{king}",
  no_action: "لم تبقَ نقلة متاحة",
  resignation: "استسلام",
  agreement: "تعادل بالاتفاق",
  cut_off: "أوقفها حدّ اللعب الذاتي لأنصاف النقلات",

  game: "اللعبة",
  newGame: "مباراة جديدة",
  chooseBot: "اختر لعبة وخصمها",
  fromPosition: "البدء من وضع معيّن",
  fromPositionHint: "اتركه فارغًا للبدء من الوضع المعتاد.",
  sides: "من يلعب",
  level: "القوة",
  level_glance: "لمحة",
  level_quick: "سريع",
  level_light: "خفيف",
  level_steady: "متّزن",
  level_careful: "متأنٍّ",
  level_deep: "عميق",
  level_utmost: "أقصى تفكير",
  level_timed: "بالوقت",
  seconds: "نحو {n} ث",
  secondsFew: "أقل من 0.1 ث",
  playouts_one: "محاكاة واحدة لكل نقلة",
  playouts_two: "محاكاتان لكل نقلة",
  playouts_few: "{n} محاكيات لكل نقلة",
  playouts_other: "{n} محاكاة لكل نقلة",
  variety: "التنويع في الافتتاح",
  variety_none: "بلا",
  variety_little: "قليل",
  variety_more: "أكثر",
  elo: "تصنيف إيلو {n}",
  rulesHash: "القواعد {hash}",
  takeBack: "تراجُع",
  redo: "أعِد",
  turnBoard: "اقلب الرقعة",
  stopSeries: "أنهِ السلسلة",
  pause: "أوقف",
  goOn: "تابع",
  plainAction: "العب {action}",

  analysis: "التحليل",
  analysisHint: "يعرض رأي الحاسوب في الوضع الذي على الرقعة حين يكون الدور للاعب، أو في أيّ موضع آخر من المباراة.",
  candidate: "النقلة",
  visits: "المحاكاة",
  value: "فوز الأبيض، تعادل، فوز الأسود",
  line: "التتمّة",
  searched: "عدد المحاكاة: {n}",
  proof_win: "فوز مُثبت",
  proof_draw: "تعادل مُثبت",
  proof_loss: "خسارة مُثبتة",
  proofIn: "{proof} في {n}",
  waiting: "في انتظار الحاسوب…",

  lookBack: "مراجعة النقلات",
  first: "إلى البداية",
  previous: "نقلة إلى الوراء",
  next: "نقلة إلى الأمام",
  last: "إلى المباراة كما هي الآن",
  pastStart: "مراجعة: وضع البداية",
  past_white: "مراجعة: نقلة الأبيض {action}",
  past_black: "مراجعة: نقلة الأسود {action}",
  beside_white: "بجانب المباراة: نقلة الأبيض {action}",
  beside_black: "بجانب المباراة: نقلة الأسود {action}",
  continueHere: "تابع من هنا",
  present: "عُد إلى المباراة",
  branch: "تراجَع إلى هنا",

  unfold: "اعرض تتمّة {action} كاملة",
  fold: "اطوِ تتمّة {action}",
  gauge: "القيمة",
  noValue: "لا قيمة بعد",
  graph: "القيمة خلال المباراة",
  graphSaid: "القيمة خلال المباراة، معروفة في {n} من {all} وضعًا",
  graphHere: "المتوقَّع للأبيض هنا {n}",
  evaluate: "قيّم المباراة",
  evaluating: "قُيّم {done} من {all}",
  evaluateStop: "أوقف التقييم",
  gameEnds: "هنا تنتهي المباراة.",
  moveCost: "{action} ({side}): قبلها {before} وبعدها {after} له",

  again: "العب ثانية",
  review: "راجع المباراة",
  dismiss: "إخفاء",

  captions: "عن المناطق",
  captionsClose: "فهمت",
  caption_zone: "القطع التي بجانب الرقعة. يدلّ الرقم على ما ينتظر هناك من كل نوع، ويبهت النوع الذي لا ينتظر منه شيء.",
  caption_shatara_reinforcement: "اسحب جنديًا من منطقتك إلى مربع خالٍ في صفّ جنودك، أو انقر الاثنين. وذلك دور كامل.",
  caption_shatara_ladder: "القطعة التي عليها زاوية صغيرة تترقّى في مكانها: انقرها ثم انقر الشارة عند طرفها، فتتبادل المكان مع قطعة من المنطقة.",
  caption_shatra_placing: "توضع قطعة من بيتك على مربع خالٍ في نصفك: انقرها ثم انقر المربع. والنقطة تدلّ على الاحتياطي الأول.",
  caption_shatra_promotion: "الجندي الذي يبلغ الصفّ الأخير يصير قطعة من قطعك المأسورة التي تنتظر في المخزون.",
  "caption_omega-advanced_entry": "يدخل المهرّج مع النقلة الأولى لقطعة أخرى، في المربع الذي تتركه: تسألك الصفحة.",

  moves: "النقلات",
  variation: "تفريعة",
  forgetBeside: "انسَ التفريعات",
  noMoves: "لم تُلعب نقلة بعد.",
  record: "سجلّ المباراة",
  recordNow: "هذه المباراة",
  recordLoad: "تحميل مباراة",
  recordPaste: "ألصق السجلّ هنا أو اختر ملفًّا.",
  position: "الوضع",
  copy: "نسخ",
  copied: "نُسخ",
  link: "الرابط",
  linkHint: "يفتح المباراة عند الوضع الذي على الرقعة، في هذا الخادم.",
  copyLink: "نسخ الرابط",
  linkWrong: "لا يحمل الرابط مباراة يمكن عرضها.",
  linkElsewhere: "لا أحد هنا يلعب لعبة هذا الرابط بقواعدها.",
  save: "حفظ في ملفّ",
  file: "اختيار ملفّ",
  load: "تحميل",
  fileUnread: "تعذّرت قراءة الملفّ.",
  fileLarge: "الملفّ أكبر من أن يكون سجلّ مباراة.",

  comma: "، ",
  colon: ": ",
  board: "الرقعة",
  pastBoard: "الرقعة، وضع سابق",
  besideBoard: "الرقعة، وضع بجانب المباراة",
  zoneOf: "{zone} {side}",
  zonePiece: "{piece}، في المنطقة: {n}",
  empty: "خالية",
  canMove: "يمكن تحريكها",
  isTarget: "ممكنة",
  isSelected: "مختارة",
  mark_climber: "قابلة للترقية",
  mark_reserve: "من الاحتياطي الأول",
  mark_jumped: "قُفز فوقها",
  mark_unmoved: "لم تتحرّك قط",
  mark_like: "تتحرّك مثل: {kind}",
  mark_jumper: "تقفز الآن",
  climb: "ترقية إلى {piece} في المكان",
  chooseAction: "أيّ نقلة؟",
  moveSaid: "{side}: {action}",
  selected: "اختيرت {what}؛ المربعات الممكنة: {n}",
  selectedClimb: "اختيرت {what}؛ المربعات الممكنة: {n}؛ مفتاح + يرقّيها في مكانها",
  piece_white: "{kind} للأبيض",
  piece_black: "{kind} للأسود",
  keys: "على الرقعة: الأسهم للتنقّل، وEnter للاختيار، وEscape للإلغاء، و+ للترقية في المكان، وPage Up وPage Down لمراجعة النقلات. وخارجها يراجعها السهمان الأيسر والأيمن.",
};

const LANGUAGES = { en: ENGLISH, ar: ARABIC };
let language = "en";
let plural = new Intl.PluralRules("en");

export function setLanguage(wanted) {
  language = wanted in LANGUAGES ? wanted : "en";
  plural = new Intl.PluralRules(language);
}

export function currentLanguage() {
  return language;
}

// Kept from left to right within Arabic: Unicode's isolates (UAX 9).
export function isolated(text) {
  return language === "ar" ? `\u2066${text}\u2069` : `${text}`;
}

export function number(value) {
  return value.toLocaleString("en");
}

export function has(key) {
  return key in LANGUAGES[language];
}

// The words of `key`; a key that is not known is shown as it is.
export function say(key, parts = {}) {
  const words = LANGUAGES[language][key] ?? key.replaceAll("_", " ");
  return words.replace(/\{(\w+)\}/g, (all, name) => parts[name] ?? all);
}

// The words of `key` that go with `count`.
export function count(key, count) {
  const form = `${key}_${plural.select(count)}`;
  return say(has(form) ? form : `${key}_other`, { n: isolated(number(count)) });
}

// The words of a game come with each bot that plays it: its name, its pieces, its kinds of action, its zones.

export function kindName(bot, kind) {
  return bot.words.pieces[kind]?.[language] ?? kind;
}

// What a game calls a kind of its actions.
export function kindActionName(bot, kind) {
  return bot.words.kinds[kind]?.[language] ?? kind;
}

export function pieceName(bot, kind, side) {
  return say(`piece_${side}`, { kind: kindName(bot, kind) });
}

// What a game says of an action where several go from and to the same squares: its words and the piece that it brings in, if it does.
export function choiceOf(bot, { kind, choice }) {
  const { choices } = bot.words;
  const named = choices[`${kind} ${choice}`] ?? (choice && choice !== "@" ? undefined : choices[kind]);
  return named && { words: named[language], piece: named.piece };
}

export function zoneWord(bot) {
  return bot.words.zone?.[language] ?? "";
}

export function zoneName(bot, side) {
  return say("zoneOf", { side: say(side), zone: zoneWord(bot) });
}

export function gameName(bot) {
  return bot.words.name[language];
}

export function reasonName(bot, reason) {
  return say(reason, { king: kindName(bot, "K") });
}

// Fills in every element of `root` that names its words.
export function fill(root) {
  for (const element of root.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of root.querySelectorAll("[data-say-label]")) {
    const words = say(element.dataset.sayLabel);
    element.setAttribute("aria-label", words);
    if (element.matches("button")) element.title = words;
  }
  for (const element of root.querySelectorAll("[data-say-placeholder]")) element.placeholder = say(element.dataset.sayPlaceholder);
}
