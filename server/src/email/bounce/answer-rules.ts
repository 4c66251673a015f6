/** The stage of the SMTP conversation in which a response came; `dsn` came later, by email. */
export type Stage = "greeting" | "hello" | "tls" | "auth" | "mail" | "rcpt" | "data" | "body" | "dsn";

/** What a mail server's response means. */
export type Meaning =
  | "no_mailbox"
  | "no_domain"
  | "mailbox_full"
  | "too_large"
  | "blocked"
  | "policy"
  | "content"
  | "relaying"
  | "sender"
  | "greylisted"
  | "slow_mailbox"
  | "slow_site"
  /** Our own account with a relay has reached its sending limit for now. */
  | "quota"
  /** Our account with a relay can't send at all until someone fixes it. */
  | "account"
  | "site_down"
  | "temporary"
  | "unsupported"
  | "permanent";

/** The first rule whose parts all match applies. An absent part matches everything. Texts are compared in lower case. */
export interface AnswerRule {
  /**
   * `relay`: the server that forwards our email, where we are the customer. `receiver`: the recipient's own server, or a report that came
   * by email.
   */
  from?: "relay" | "receiver";
  stage?: readonly Stage[];
  code?: RegExp;
  enhanced?: RegExp;
  text?: RegExp;
  means: Meaning;
}

const early = ["greeting", "hello", "tls"] as const;
/** The stages after a server has received the recipient's address. Anything that it says earlier isn't about the recipient. */
const late = ["rcpt", "data", "body", "dsn"] as const;

/** Limits on how much may be sent, by whom and in what time; never on how much a mailbox holds. */
const sendingQuota = new RegExp(
  [
    "throttling failure",
    "\\b(daily|hourly|weekly|monthly|24[- ]hour|per[- ](second|minute|hour|day|week|month))\\b.{0,60}\\b(quota|limit|rate|maximum|allowance|allowed)",
    "\\b(quota|limit|rate|allowance|threshold|too many (messages|emails|recipients|mails))\\b.{0,60}\\b(daily|hourly|monthly|today|per[- ](second|minute|hour|day|week|month))\\b",
    "\\b(send|sending|submission|outbound|outgoing|relay|delivery) (rate|limit|quota|credit)s?\\b.{0,40}(exceed|reach|used up)",
    "(exceed|reach)(ed|s|ing)? .{0,60}\\b(sending|send|submission|outbound|outgoing|relay) (rate|limit|quota|credit|volume)",
    "sender thread limit|submissionquotaexceeded|outboundspam|tenant has exceeded|(out of|not enough|insufficient|no) (e-?mail |sending )?credits",
  ].join("|"),
);

/** What a relay says about its customer's account. */
const yourAccount =
  /\b(your|this|the sending|the sender's|smtp|sending) (\S+ )?(account|subscription|tenant|organi[sz]ation|plan|server|user|service|mailbox)\b.{0,80}(suspend|disabl|paus|deactivat|locked|terminat|clos|restrict|block|(not|n.t) (yet |been )?(activ|enabl|allowed|authori[sz]ed|approved|permitted)|under review|pending|expired|cancel)|sending .{0,30}(paused|suspended|disabled|blocked)|disabled for sending|(blocked|restricted|prevented|disabled|suspended) from sending|not (authori[sz]ed|allowed) to perform|bad outbound sender|smtpclientauthentication is disabled|basic authentication is not supported|not authenticated to send|invalid credentials for relay|(authentication|login|sign-in|credentials) (is |are )?(required|invalid|failed|unsuccessful)|username and password not accepted|account not subscribed|storedrv\.submission.{0,40}quotaexceeded/;
const anAccount =
  /^(?!.*@).*\b(account|user)\b.{0,40}\b(suspended|disabled|inactive|deactivated|blocked|locked|terminated|expired|closed|paused|not active)/;
/** What a receiver says about the sender. */
const ofTheSender =
  /\byour (account|mailbox|subscription|tenant|plan|domain|organi[sz]ation)\b|for sending|from sending|outbound sender|(email address|sender|domain|identit\S*) (is |are )?not (verified|allowed to send|authori[sz]ed to send)|not allowed to send|domain .{0,80}(unverified|not verified)|from\/sender name|sender name is not valid|send ?as ?denied|permissions? to send as|not a (confirmed|verified) sender|sender signature/;

/**
 * Rules for mail servers' responses, in order. Rules about our reputation come before rules about the mailbox: a response that matches both
 * must never count against the recipient.
 */
export const answerRules: readonly AnswerRule[] = [
  // One mailbox that receives too much: the receiver's limit, not the sender's.
  { text: /recipient.{0,60}(thread limit|limit .{0,60}receive)|receiving mail (too quickly|at a rate)/, means: "slow_mailbox" },

  // Our own account with a relay: nothing is wrong with the message or its recipient.
  { from: "relay", text: sendingQuota, means: "quota" },
  { from: "relay", enhanced: /^5\.4\.5$/, means: "quota" },
  { from: "relay", text: /\b(e-?mail|message) quota\b.{0,20}exceed|\brate limit|too many requests/, means: "quota" },
  { from: "relay", stage: ["auth"], code: /^4/, means: "site_down" },
  { from: "relay", stage: ["auth", "mail"], code: /^53[0458]/, means: "account" },
  { from: "relay", text: yourAccount, means: "account" },
  {
    from: "relay",
    code: /^421/,
    text: /\b(domain|sender|identity) .{0,80}not (allowed|authori[sz]ed|permitted) to send/,
    means: "account",
  },
  { from: "relay", enhanced: /^(?!5\.1\.|5\.2\.1$)/, text: anAccount, means: "account" },
  // Recipients that the relay doesn't send to, for any reason, including complaints and opt-outs of people whose mailbox exists.
  { text: /marked as inactive|inactive recipients|suppression list|not delivering to (a )?(previously|unsubscribed)/, means: "policy" },
  { text: sendingQuota, means: "slow_site" },

  // The site as a whole, before it knows about any message.
  { stage: early, code: /^5/, text: /too many|\brate\b|frequency|concurren|connection limit/, means: "slow_site" },
  { stage: early, code: /^[45]/, means: "site_down" },
  {
    code: /^421/,
    text: /tss?\d\d|unusual rate|rate limit|too many|unexpected volume|user complaints|permanently deferred|exceed|throttl|deferr/,
    means: "slow_site",
  },
  { code: /^421/, means: "site_down" },

  // Full mailboxes, regardless of the code.
  {
    text: /mailbox (is )?full|mailbox.{0,40}over quota|over ?quota|quota (was |is |has been )?exceed|exceed(s|ed|ing)?.{0,40}(quota|storage)|out of storage|insufficient disk|mail ?box size|inbox is full|storage (limit|allocation)|mailfolder is full|max message size of (the )?mailbox|容量|邮箱已满/,
    means: "mailbox_full",
  },
  { enhanced: /^[45]\.2\.2$/, means: "mailbox_full" },

  // One mailbox that receives too much at the moment.
  {
    text: /(user|account|recipient).{0,80}(receiving mail (too quickly|at a rate)|exceeded.{0,30}rate)|mailbox busy|recipient.{0,30}rate limit/,
    means: "slow_mailbox",
  },

  // Greylisting and similar.
  {
    code: /^4|^$/,
    text: /gr[ea]y.?list|greylisted|try again (in|after) \d|come back later|temporarily deferred \(gl|\[gl01\]|deferred.{0,20}first time|retry in \d+ (s|m)/,
    means: "greylisted",
  },

  // The site wants less traffic.
  {
    code: /^4/,
    text: /too many (connections|messages|recipients|concurrent|mails)|rate limit|exceeded.{0,40}\b(rate|limit)|throttl|server busy|sending too fast|unusual rate|temporarily deferred due to|tss?\d\d|frequency limited|mail frequency|too much mail|send limit|connections? limit|concurren|resources restricted|temporarily rate/,
    means: "slow_site",
  },
  {
    code: /^5/,
    text: /frequency limited|too many (connections|messages)|connection frequency|sending rate|rate limit|(hourly|daily|message) (rate|limit) exceeded/,
    means: "slow_site",
  },

  // Our reputation with them: lists, reputation, missing DNS names.
  {
    text: /spamhaus|spamcop|barracudacentral|sorbs|surbl|uribl|invaluement|senderscore|cloudmark|proofpoint dynamic reputation|b\.barracuda|talosintelligence|abuseat|uceprotect|spfbl|mailspike|abusix/,
    means: "blocked",
  },
  {
    text: /dmarc|\bspf\b|\bdkim\b|5\.7\.2[0-9]|sender (policy|authentication)|authentication (check|required|results)|unauthenticated email|domain owner|mi:spf|mi:dmf|email rejected per/,
    means: "policy",
  },
  { code: /^5/, text: /its content|content presents|potential security/, means: "content" },
  {
    text: /black ?list|block ?list|blocked (using|by|for|from|due)|\b(ip|host|address|network|server|sender|mail|domain|connection|message|client)\b.{0,40}(is |has been |was |been )?(temporarily |permanently )?(blocked|banned|blacklisted)|(listed|listing) (in|on|at|by)|dnsbl|\brbl\b|reputation|poor standing|on our block list|s3140|s3150|bl2[0-9]|banned send|blocked senders?|\bblock for|:blocked|refused to talk|sender denied|\bip\b.{0,40}(rejected|refused|denied)/,
    means: "blocked",
  },
  {
    text: /reverse (dns|lookup)|\bptr\b|\brdns\b|cannot find your (reverse )?hostname|client host rejected|helo command rejected|invalid helo|generic hostname|dynamic (ip|address|pool)|unauthenticated|does not meet ipv6|hostname.{0,30}(resolve|match)/,
    means: "blocked",
  },

  // The message.
  { enhanced: /^5\.3\.4$|^5\.2\.3$/, means: "too_large" },
  {
    text: /(message|mail|size).{0,40}(too (large|big|long)|exceeds.{0,40}(size|limit|maximum))|exceeded.{0,30}(size|message length)|size limit|maximum (message )?size|message length exceeds|too big/,
    means: "too_large",
  },
  {
    code: /^5/,
    text: /spam|unsolicited|bulk|phish|virus|malware|content (denied|rejected|filter|restrict)|mail content|suspicious|prohibited (file|attachment|content)|security (reasons|issue|problem)|blocked content|bad content|ph01|dt:spm|suspect|illegal attachment|attachment type|message (was )?rejected.{0,20}(content|filter)|potential(ly)? (harmful|dangerous)|junk/,
    means: "content",
  },
  { code: /^4/, text: /spam|unsolicited|suspicious|dt:spm|content/, means: "greylisted" },

  // The envelope's sender.
  {
    text: /sender (address )?(rejected|verify|denied|is invalid)|invalid sender|bad sender|sender.{0,30}(not (exist|found|allowed)|unknown)|null sender|mail from.{0,30}(invalid|denied)|domain of sender|envelope (sender|from)|return path/,
    means: "sender",
  },
  { enhanced: /^[45]\.1\.[78]$/, means: "sender" },
  { text: ofTheSender, means: "sender" },

  // No such mailbox.
  { stage: late, code: /^5|^$/, enhanced: /^5\.1\.(1|3|6|10)$|^5\.2\.1$/, means: "no_mailbox" },
  { stage: late, code: /^5/, enhanced: /^5\.1\.2$/, means: "no_domain" },
  {
    stage: late,
    code: /^5/,
    enhanced: /^5\.4\.1$/,
    text: /recipient address rejected: access denied|as\(201806281\)/,
    means: "no_mailbox",
  },
  {
    text: /relay(ing)? (access )?(denied|not (permitted|allowed)|prohibited)|unable to relay|not (permitted|allowed) to relay|we do not relay|relaying|not local|isn't in my list of allowed|rcpthosts|relay not permitted|no relay/,
    means: "relaying",
  },
  { from: "relay", enhanced: /^5\.7\.\d+$/, means: "policy" },
  {
    stage: late,
    code: /^5|^$/,
    text: /(user|mailbox|recipient|address|alias|person|customer|rcpt).{0,60}(unknown|not (be )?(found|known|exist|valid|listed|recogni[sz]ed)|(does|do|did)(n't| not) (exist|have)|invalid|undeliverable|unrouteable|unroutable|doesn't have)/,
    means: "no_mailbox",
  },
  {
    stage: late,
    code: /^5|^$/,
    text: /(mailbox|recipient|address|alias).{0,60}(not available|no longer|inactive|disabled|suspended|deactivated|closed|discontinued|unavailable|not active|terminated|expired)/,
    means: "no_mailbox",
  },
  {
    from: "receiver",
    stage: late,
    code: /^5|^$/,
    text: /(user|person|customer).{0,60}(not available|no longer|inactive|disabled|suspended|deactivated|closed|discontinued|unavailable|not active|terminated|expired)/,
    means: "no_mailbox",
  },
  // An account is only the recipient's in the response to the recipient's address; elsewhere it may be the sender's.
  {
    from: "receiver",
    stage: ["rcpt"],
    code: /^5/,
    enhanced: /^(?!5\.7\.)/,
    text: /account.{0,60}(unknown|not (be )?(found|known|exist|valid|available|active)|does(n't| not) exist|no longer|invalid|inactive|disabled|suspended|deactivated|closed|discontinued|unavailable|terminated|expired)/,
    means: "no_mailbox",
  },
  {
    stage: late,
    code: /^5|^$/,
    text: /(no such|unknown|invalid|non.?exist[ae]nt|bad|undeliverable|unrouteable|unroutable|not a valid|no) (local )?(user|recipient|mailbox|address|person|destination mailbox)|(inactive|disabled) (recipient|mailbox|address)|no mailbox here|recipnotfound|recipientnotfound|nosuchuser|here by that name|can(no|')t (find|locate) (the )?(recipient|user|mailbox)|unknown or illegal alias|收件人不存在|用户不存在|mailbox unavailable/,
    means: "no_mailbox",
  },
  {
    stage: late,
    code: /^5|^$/,
    text: /(domain|host).{0,40}(not (found|exist)|unknown|no longer|invalid)|no such domain|name or service not known|null ?mx|does not accept mail/,
    means: "no_domain",
  },

  // Local policies.
  { enhanced: /^5\.7\.\d+$/, means: "policy" },
  {
    code: /^5/,
    text: /polic(y|ies)|not authori[sz]ed|access denied|permission|administrative(ly)? (prohibit|denied|reject)|restrict|not allowed|refused by|prohibited|rejected by recipient|banned/,
    means: "policy",
  },
  { code: /^5/, enhanced: /^5\.6\.\d+$|^5\.5\.[46]$/, means: "unsupported" },
  { code: /^5/, text: /smtputf8|8bitmime|internationali[sz]ed/, means: "unsupported" },
  { enhanced: /^4\.7\.\d+$/, means: "greylisted" },

  // What the code says without the text.
  { code: /^4/, means: "temporary" },
  { code: /^5/, means: "permanent" },
  { enhanced: /^4/, means: "temporary" },
  { enhanced: /^5/, means: "permanent" },
  { means: "temporary" },
];
