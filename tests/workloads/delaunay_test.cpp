// Triangulations by the CPU, and refinement by the functions that kernels also call.
#include <gmock/gmock-matchers.h>

#include <cmath>
#include <deque>

#include "common/generators.h"
#include "common/text_scanner.h"
#include "message_of.h"
#include "worklist_dmr/cavity.h"
#include "worklist_dmr/check.h"
#include "worklist_dmr/delaunay.h"
#include "worklist_dmr/triangle_files.h"

namespace raddle::workloads::dmr {
namespace {

using testing::HasSubstr;

double area_of(const Mesh& mesh) {
  double area = 0;
  for (const Triangle& triangle : mesh.triangles) {
    const auto at = [&](int k) {
      return mesh.points[static_cast<std::size_t>(triangle.vertex[k])];
    };
    area += orientation_in_double(at(0), at(1), at(2)).value / 2;
  }
  return area;
}

/// One bad triangle after the other, as the kernels do.
void refine(Mesh& mesh, double degrees) {
  const double cosine = std::cos(degrees / 180 * 3.14159265358979323846);
  std::deque<int> bad;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) bad.push_back(static_cast<int>(t));
  std::vector<int> triangles(1000);
  std::vector<Rim> rims(1002);
  while (!bad.empty()) {
    const int number = bad.front();
    bad.pop_front();
    const MeshView view = mesh.view();
    if (!is_bad(view, view.triangles[number], cosine * cosine)) continue;
    Target target = target_of(view, number);
    Cavity cavity{triangles.data(), rims.data(), 1000};
    ASSERT_EQ(find_cavity<FastPredicates>(view, target, cavity, true, [](int) { return true; }),
              Outcome::found);
    const int point = static_cast<int>(mesh.points.size());
    mesh.points.push_back(target.point);
    mesh.origins.push_back(target.segment < 0 ? kFree : target.segment);
    const int added = static_cast<int>(mesh.triangles.size());
    mesh.triangles.resize(mesh.triangles.size() +
                          static_cast<std::size_t>(added_triangles(view, target)));
    fill_cavity(mesh.view(), target, cavity, point, added, [&](int t) { bad.push_back(t); });
    bad.push_back(number);
    ASSERT_LT(mesh.triangles.size(), 100000u) << "does not end";
  }
}

// The points are next to a line or a circle by one unit of the last place.
TEST(Predicates, SignsAreExact) {
  const double tiny = 0x1p-52;
  EXPECT_EQ(exact_orientation({0.5, 0.5}, {12, 12}, {24, 24}), 0);
  EXPECT_EQ(exact_orientation({0.5, 0.5 + tiny / 2}, {12, 12}, {24, 24}),
            1);  // above a line to the upper right: left of it
  EXPECT_EQ(exact_orientation({0.5 + tiny / 2, 0.5}, {12, 12}, {24, 24}), -1);
  EXPECT_EQ(exact_circle({1, 0}, {0, 1}, {-1, 0}, {0, -1}), 0);
  EXPECT_EQ(exact_circle({1, 0}, {0, 1}, {-1, 0}, {0, -1 + tiny}), 1);
  EXPECT_EQ(exact_circle({1, 0}, {0, 1}, {-1, 0}, {0, -1 - tiny}), -1);
  // 1e16 + 1 is not a double: the products of the differences are not either.
  EXPECT_EQ(exact_orientation({1e8 + 1, 1e8}, {1e8, 1e8 - 1}, {0, 0}),
            -1);  // (1e8 + 1)(1e8 - 1) - 1e16 = -1
}

TEST(Delaunay, RandomPointsMakeADelaunayMeshOfTheSquare) {
  Mesh mesh = triangulate("points", random_points(500, 7));
  EXPECT_EQ(mesh.points.size(), 504u);
  EXPECT_EQ(mesh.triangles.size(), 2 * 500u + 2);  // Euler: 2 inside, 2 for the rectangle
  EXPECT_NEAR(area_of(mesh), 1, 1e-12);
  Mesh start = mesh;
  EXPECT_TRUE(check_refined(mesh, start, 0));
}

// All circles of a lattice's squares pass through four points, all lines through many.
TEST(Delaunay, LatticeWithPointsTwice) {
  Drawing drawing;
  for (int i = 0; i < 200; ++i) {
    drawing.points.push_back({static_cast<double>(i % 10), static_cast<double>(i / 10 % 10)});
  }
  Mesh mesh = triangulate("lattice", drawing);
  EXPECT_EQ(mesh.triangles.size(), 2 * 81u);
  Mesh start = mesh;
  EXPECT_TRUE(check_refined(mesh, start, 40));  // half squares: 45 degrees
}

TEST(Delaunay, PointsOnALineAreRefused) {
  Drawing drawing;
  drawing.points = {{0, 0}, {1, 0}, {2, 0}};
  EXPECT_THAT(message_of([&] { triangulate("line", drawing); }), HasSubstr("line: "));
}

// A square of side 4 with a square hole of side 2, and a segment that is no Delaunay edge.
constexpr const char* square_with_hole = R"(# points
8 2 0 1
1 0 0 5
2 4 0 5
3 4 4 5
4 0 4 5
5 1 1 6
6 3 1 6
7 3 3 6
8 1 3 6
8 0
1 1 2
2 2 3
3 3 4
4 4 1
5 5 6
6 6 7
7 7 8
8 8 5
1
1 2 2
)";

TEST(Delaunay, SegmentsEncloseTheDomain) {
  const Mesh mesh = triangulate("hole", read_poly("hole", square_with_hole));
  EXPECT_NEAR(area_of(mesh), 16 - 4, 1e-12);
}

TEST(Delaunay, OpenSegmentsEncloseNothing) {
  Drawing drawing = read_poly("hole", square_with_hole);
  drawing.segments.resize(3);
  EXPECT_THAT(message_of([&] { triangulate("open", drawing); }), HasSubstr("enclose no area"));
}

TEST(Refinement, RandomPoints) {
  Mesh mesh = triangulate("points", random_points(200, 3));
  Mesh start = mesh;
  refine(mesh, 30);
  EXPECT_GT(mesh.triangles.size(), start.triangles.size());
  EXPECT_TRUE(check_refined(mesh, start, 30));
}

TEST(Refinement, DomainWithAHole) {
  Mesh mesh = triangulate("hole", read_poly("hole", square_with_hole));
  Mesh start = mesh;
  refine(mesh, 30);
  EXPECT_TRUE(check_refined(mesh, start, 30));
}

// The sharp corner of 5 degrees stays; all else becomes good.
TEST(Refinement, SharpCorner) {
  Drawing drawing;
  drawing.points = {{0, 0}, {10, 0}, {10, 10 * std::tan(5 / 180.0 * 3.14159265358979323846)}};
  drawing.segments = {{0, 1}, {1, 2}, {2, 0}};
  Mesh mesh = triangulate("corner", drawing);
  Mesh start = mesh;
  refine(mesh, 30);
  EXPECT_TRUE(check_refined(mesh, start, 30));
}

class BrokenMesh : public testing::Test {
 protected:
  void SetUp() override {
    start = triangulate("points", random_points(100, 3));
    mesh = start;
    refine(mesh, 30);
    ASSERT_TRUE(check_refined(mesh, start, 30));
  }
  Mesh start, mesh;
};

TEST_F(BrokenMesh, UnrefinedIsFound) { EXPECT_FALSE(check_refined(start, start, 30)); }

TEST_F(BrokenMesh, WrongNeighbourIsFound) {
  mesh.triangles[7].neighbour[0] = mesh.triangles[7].neighbour[1];
  EXPECT_FALSE(check_refined(mesh, start, 30));
}

TEST_F(BrokenMesh, MovedPointIsFound) {
  mesh.points.back().x += 1e-3;
  mesh.points[50].x += 1e-3;
  EXPECT_FALSE(check_refined(mesh, start, 30));
}

// The other diagonal of two triangles: their vertices and neighbours still fit.
TEST_F(BrokenMesh, FlippedEdgeIsFound) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Mesh flipped = mesh;
    Triangle& one = flipped.triangles[t];
    const int behind = one.neighbour[0];
    if (behind < 0) continue;
    Triangle& other = flipped.triangles[static_cast<std::size_t>(behind)];
    const int edge = edge_of(other, one.vertex[2], one.vertex[1]);
    const Triangle a = one, b = other;
    const int apex = b.vertex[edge];
    // a: (p, q, r), b: apex beyond qr. Now (p, q, apex) and (p, apex, r).
    one = {{a.vertex[0], a.vertex[1], apex},
           0,
           {b.neighbour[next_of(edge)], behind, a.neighbour[2]},
           0,
           {b.segment[next_of(edge)], -1, a.segment[2]},
           0};
    other = {{a.vertex[0], apex, a.vertex[2]},
             0,
             {b.neighbour[before(edge)], a.neighbour[1], static_cast<int>(t)},
             0,
             {b.segment[before(edge)], a.segment[1], -1},
             0};
    const auto relink = [&](int neighbour, int from, int to) {
      if (neighbour < 0) return;
      for (int& n : flipped.triangles[static_cast<std::size_t>(neighbour)].neighbour) {
        if (n == from) n = to;
      }
    };
    relink(b.neighbour[next_of(edge)], behind, static_cast<int>(t));
    relink(a.neighbour[1], static_cast<int>(t), behind);
    EXPECT_FALSE(check_refined(flipped, start, 0)) << t;
    if (t > 20) break;
  }
}

TEST(TriangleFiles, NodeFile) {
  const Drawing drawing = read_node("f", "# c\n2 2 1 0\n\n0 1.5 2 9\n1 -3 4e1 9\n");
  ASSERT_EQ(drawing.points.size(), 2u);
  EXPECT_EQ(drawing.points[1].x, -3);
  EXPECT_EQ(drawing.points[1].y, 40);
}

TEST(TriangleFiles, ErrorsSayWhere) {
  EXPECT_THAT(message_of([] { read_node("f", "2 3 0 0\n"); }), HasSubstr("f:1:3:"));
  EXPECT_THAT(message_of([] { read_node("f", "1 2 0 0\n1 x 3\n"); }), HasSubstr("f:2:3:"));
  EXPECT_THAT(message_of([] { read_node("f", "99999999 2 0 0\n"); }), HasSubstr("f:1:1:"));
  EXPECT_THAT(message_of([] { read_node("f", "2 2 0 0\n1 0 0\n3 1 1\n"); }), HasSubstr("f:3:1:"));
  EXPECT_THAT(message_of([] { read_poly("f", "3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n1 0\n1 1 4\n0\n"); }),
              HasSubstr("f:6:5:"));
  EXPECT_THAT(message_of([] { read_poly("f", "0 2 0 0\n1 0\n"); }), HasSubstr("no points"));
}

}  // namespace
}  // namespace raddle::workloads::dmr
