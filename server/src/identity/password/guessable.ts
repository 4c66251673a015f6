/** The first words that attackers guess, in the form that `compact` returns; many of the most common passwords are one of these and a few digits. */
export const guessableWords: readonly string[] = [
  ...["tillpost", "password", "passw0rd", "passwort", "passphrase", "contraseña", "motdepasse", "letmein", "welcome", "changeme", "default", "secret"],
  ...["administrator", "admin", "root", "superuser", "operator", "manager", "cashier", "guest", "login", "signin", "test", "testing", "demo"],
  ...["merchant", "payment", "account", "business", "wechat", "weixin", "alipay", "zhifubao", "taobao", "google", "facebook", "microsoft"],
  ...["iloveyou", "loveyou", "sunshine", "princess", "dragon", "monkey", "football", "baseball", "basketball", "superman", "batman", "pokemon"],
  ...["starwars", "shadow", "master", "killer", "whatever", "trustno1", "freedom", "mustang", "michael", "jennifer", "jordan", "liverpool", "chelsea"],
  ...["computer", "internet", "samsung", "charlie", "flower", "cheese", "hello", "summer", "winter", "spring", "autumn", "monday", "friday"],
  ...["woaini", "woaiwojia", "aini1314", "5201314", "1314520", "1314521", "168168", "wangyut2", "mima", "zhongguo", "beijing", "shanghai"],
  ...["密码", "我爱你", "管理员", "收银", "商户", "支付宝", "微信"],
];

/** Sequences that fingers follow: counting, the alphabet, and keyboards of several countries. They are also tried backwards. */
const rows: readonly string[] = [
  ...["abcdefghijklmnopqrstuvwxyz", "01234567890", "112233445566778899", "147258369", "789456123", "!@#$%^&*()"],
  ...["qwertyuiop", "asdfghjkl", "zxcvbnm", "azertyuiop", "qsdfghjklm", "qwertzuiop", "yxcvbnm"],
  ...["1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik", "qazwsxedcrfvtgbyhnujmik", "zaq12wsxcde34rfv", "q1w2e3r4t5y6u7i8o9p0", "1q2w3e4r5t6y7u8i9o0p", "a1b2c3d4e5f6g7h8"],
];

export const walkedRows: readonly string[] = rows.flatMap((row) => [row, [...row].reverse().join("")]);
