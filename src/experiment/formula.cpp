#include "experiment/formula.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/error.h"

namespace raddle::experiment {
namespace {

using Value = std::optional<double>;  // nullopt: the run lacks the statistic
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

///   sum = product { ("+" | "-") product }
///   product = term { ("*" | "/") term }
///   term = path | "(" sum ")"
class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text), left_(text) {}

  std::vector<Formula::Step> parse() {
    sum();
    if (!left_.empty()) expected("an operator");
    return std::move(steps_);
  }

 private:
  void sum() {
    product();
    while (const char operation = take("+-")) {
      product();
      steps_.push_back({operation, ""});
    }
  }

  void product() {
    term();
    while (const char operation = take("*/")) {
      term();
      steps_.push_back({operation, ""});
    }
  }

  void term() {
    if (take("(") != 0) {
      if (++depth_ > kMostDepth) {
        fail("a formula has more than {} parentheses within each other", kMostDepth);
      }
      sum();
      if (take(")") == 0) expected("')'");
      --depth_;
      return;
    }
    const std::string_view path = left_.substr(0, left_.find_first_of(" +-*/()"));
    if (path.empty()) expected("the path of a statistic");
    steps_.push_back({'.', std::string(path)});
    left_.remove_prefix(path.size());
    skip_blanks();
  }

  /// Takes the next character if it is one of these; 0 if it is not.
  char take(std::string_view characters) {
    skip_blanks();
    if (left_.empty() || characters.find(left_.front()) == std::string_view::npos) return 0;
    const char taken = left_.front();
    left_.remove_prefix(1);
    skip_blanks();
    return taken;
  }
  void skip_blanks() { left_.remove_prefix(std::min(left_.find_first_not_of(' '), left_.size())); }

  [[noreturn]] void expected(const char* what) const {
    const std::string place =
        left_.empty() ? "at its end" : fmt::format("before '{}'", std::string(left_));
    fail("in '{}', {} is missing {}", text_, what, place);
  }

  static constexpr unsigned kMostDepth = 100;

  const std::string& text_;
  std::string_view left_;
  unsigned depth_ = 0;
  std::vector<Formula::Step> steps_;
};

Value combined(char operation, Value left, Value right) {
  switch (operation) {
    case '+':
      return left && right ? *left + *right : left ? left : right;
    case '-':
      return left || right ? Value(left.value_or(0) - right.value_or(0)) : std::nullopt;
    case '*':
      return left && right ? *left * *right : kUndefined;
    default:
      return left && right && *right != 0 ? *left / *right : kUndefined;
  }
}

}  // namespace

Formula::Formula(const std::string& text) : steps_(Parser(text).parse()) {}

Value Formula::value(const std::map<std::string, double>& numbers) const {
  std::vector<Value> stack;
  for (const Step& step : steps_) {
    if (step.operation == '.') {
      const auto found = numbers.find(step.path);
      stack.push_back(found == numbers.end() ? Value() : found->second);
      continue;
    }
    const Value right = stack.back();
    stack.pop_back();
    stack.back() = combined(step.operation, stack.back(), right);
  }
  if (stack.empty() || !stack.back() || !std::isfinite(*stack.back())) return std::nullopt;
  return stack.back();
}

std::vector<std::string> Formula::paths() const {
  std::vector<std::string> paths;
  for (const Step& step : steps_) {
    if (step.operation == '.') paths.push_back(step.path);
  }
  return paths;
}

}  // namespace raddle::experiment
